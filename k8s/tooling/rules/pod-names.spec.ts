import { Manifest } from '../generators/yaml-file';
import { podNames } from './pod-names';

function check(kind: string, name: string): string {
  const object: Manifest = { apiVersion: 'batch/v1', kind, metadata: { name } };
  return podNames([{ name: 'test', objects: [object] }]).problems.join('\n');
}

describe('name prefixes of pods', () => {
  it('may have lower-case letters, digits and hyphens', () => {
    expect(check('Job', 'migrations-0-1-0')).toBe('');
    expect(check('Job', 'm'.repeat(57))).toBe('');
    expect(check('ConfigMap', 'any.name')).toBe('');
  });

  it.each(['migrations-0.1.0', 'migrations-0_1', 'Migrations', 'migrations-'])('may not be %s', (name) => {
    expect(check('Job', name)).toContain(`test: Job ${name} has a name that is not a valid host name`);
  });

  it.each([
    ['Job', 58],
    ['CronJob', 47],
    ['Deployment', 47],
  ])('of a %s may not have %i characters', (kind, length) => {
    expect(check(kind, 'm'.repeat(length))).toContain(`has a name of ${length} characters`);
  });
});
