import { Manifest } from '../generators/yaml-file';
import { findUnknownFields } from './unknown-fields';
import { validateCustom } from './custom-resource-schemas';

const user = (spec: object): Manifest => ({
  apiVersion: 'kafka.strimzi.io/v1',
  kind: 'KafkaUser',
  metadata: { name: 'gateway' },
  spec,
});

const store = (configuration: object): Manifest => ({
  apiVersion: 'barmancloud.cnpg.io/v1',
  kind: 'ObjectStore',
  metadata: { name: 'backups' },
  spec: { configuration },
});

describe('custom resources', () => {
  it('are accepted when they match the schema of their kind', async () => {
    const objects = [user({ authentication: { type: 'scram-sha-512' } }), store({ destinationPath: 's3://bucket' })];
    expect(await validateCustom(objects)).toEqual([]);
    expect(findUnknownFields(objects)).toEqual([]);
  });

  it('are refused for a value that the schema does not allow', async () => {
    const objects = [user({ authentication: { type: 'password' } }), store({ wal: { compression: 'zip' } })];
    const problems = await validateCustom(objects);
    expect(problems.map((problem) => problem.split(':')[0])).toEqual(['KafkaUser gateway', 'ObjectStore backups']);
  });

  it('are refused for a field that the kind does not have, which a cluster would silently drop', () => {
    const objects = [
      user({ authentification: { type: 'tls' } }),
      store({ destinationPath: 's3://b', retention: '30d' }),
    ];
    const problems = findUnknownFields(objects).join('\n');
    expect(problems).toContain('KafkaUser gateway: Object literal may only specify known properties');
    expect(problems).toMatch(/ObjectStore backups: .*retention/);
  });
});
