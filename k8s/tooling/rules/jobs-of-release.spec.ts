import { Manifest } from '../generators/yaml-file';
import { jobsOfRelease } from './jobs-of-release';

function check(name: string): string {
  const containers = [{ name: 'topics', image: 'registry.example:5000/podium/podium-operator:r7' }];
  const job: Manifest = {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name },
    spec: { template: { metadata: { labels: {} }, spec: { containers } } },
  };
  return jobsOfRelease([{ name: 'local', objects: [job] }]).problems.join();
}

describe('Jobs of a release', () => {
  it('are named after its tag', () => {
    expect(check('topics-r7')).toBe('');
  });

  it.each(['topics', 'topics-r6', 'topicsr7'])('may not be named %s', (name) => {
    expect(check(name)).toBe(`local: Job ${name} has the image tag r7, but its name does not end in it`);
  });
});
