import { Manifest } from '../generators/yaml-file';
import { secretReload } from './secret-reload';

const start = 'sha256sum /run/tls/tls.crt /run/users/users.acl > /data/read && exec server';
const live = 'sha256sum --check --status /data/read && server ping';

const certificate: Manifest = {
  apiVersion: 'cert-manager.io/v1',
  kind: 'Certificate',
  metadata: { name: 'store' },
  spec: { secretName: 'store-tls' },
};

const users: Manifest = {
  apiVersion: 'external-secrets.io/v1',
  kind: 'ExternalSecret',
  metadata: { name: 'store-users' },
  spec: { target: { name: 'store-users', template: { data: { 'users.acl': '' } } } },
};

interface Changes {
  readonly command?: string;
  readonly probe?: object;
  readonly items?: object[];
  readonly labels?: Record<string, string>;
  readonly env?: object[];
}

function check({ command = start, probe = { exec: { command: ['sh', '-c', live] } }, ...changes }: Changes): string[] {
  const server: Manifest = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'store', labels: changes.labels ?? {} },
    spec: {
      template: {
        metadata: { labels: {} },
        spec: {
          containers: [
            {
              name: 'store',
              image: 'store:1',
              command: ['sh', '-c', command],
              env: changes.env,
              livenessProbe: probe,
              volumeMounts: [
                { name: 'tls', mountPath: '/run/tls' },
                { name: 'users', mountPath: '/run/users' },
                { name: 'data', mountPath: '/data' },
              ],
            },
          ],
          volumes: [
            { name: 'tls', secret: { secretName: 'store-tls', items: changes.items } },
            { name: 'users', secret: { secretName: 'store-users' } },
            { name: 'data', emptyDir: {} },
          ],
        },
      },
    },
  };
  return [...secretReload([{ name: 'test', objects: [server, certificate, users] }]).problems];
}

const ofCertificate = 'test: Deployment store does not restart when /run/tls/tls.crt of Secret store-tls changes';
const ofUsers = 'test: Deployment store does not restart when /run/users/users.acl of Secret store-users changes';

describe('a process that reads its secrets at the start', () => {
  it('restarts when they change', () => expect(check({})).toEqual([]));

  it.each<[string, Changes, string[]]>([
    ['stores no checksums', { command: 'exec server' }, [ofCertificate, ofUsers]],
    ['leaves its certificate out', { command: start.replace('/run/tls/tls.crt ', '') }, [ofCertificate]],
    ['leaves its users out', { command: start.replace('/run/users/users.acl ', '') }, [ofUsers]],
    ['has a probe of its port', { probe: { tcpSocket: { port: 'store' } } }, [ofCertificate, ofUsers]],
    ['has another list in its probe', { command: start.replace('read', 'other') }, [ofCertificate, ofUsers]],
    [
      'has its certificate under another name',
      { items: [{ key: 'tls.crt', path: 'own.crt' }] },
      [ofCertificate.replace('tls.crt', 'own.crt')],
    ],
  ])('is found if it %s', (_, changes, problems) => expect(check(changes)).toEqual(problems));

  it('may be given the authority alone, and a service reads its files again', () => {
    const command = start.replace('/run/tls/tls.crt ', '');
    expect(check({ command, items: [{ key: 'ca.crt', path: 'ca.crt' }] })).toEqual([]);
    expect(check({ command: 'server', labels: { 'app.kubernetes.io/component': 'service' } })).toEqual([]);
  });

  it('is no service that names an authority which is read at the start', () => {
    const env = [{ name: 'NODE_EXTRA_CA_CERTS', value: '/run/tls/ca.crt' }];
    expect(check({ labels: { 'app.kubernetes.io/component': 'service' }, env })).toEqual([
      expect.stringContaining('Deployment store reads the file of NODE_EXTRA_CA_CERTS at the start alone'),
    ]);
  });
});
