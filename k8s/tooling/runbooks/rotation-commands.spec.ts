import { Manifest } from '../generators/yaml-file';
import { rotationProblems } from './rotation-commands';

const objects: readonly Manifest[] = [
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'store' },
    spec: {
      template: {
        spec: {
          containers: [
            {
              name: 'store',
              command: ['sh', '-c', 'sha256sum /run/users/users.acl > /data/read && exec server'],
              livenessProbe: { exec: { command: ['sh', '-c', 'sha256sum --check --status /data/read && ping'] } },
              volumeMounts: [{ name: 'users', mountPath: '/run/users' }],
            },
          ],
          volumes: [{ name: 'users', secret: { secretName: 'store-users' } }],
        },
      },
    },
  },
  {
    apiVersion: 'external-secrets.io/v1',
    kind: 'ExternalSecret',
    metadata: { name: 'store-users' },
    spec: { target: { name: 'store-users', template: { data: { 'users.acl': '' } } } },
  },
];

const refresh = 'kubectl annotate externalsecret other store-users force-sync=1 --overwrite';
const wait = 'until kubectl get secret store-users | grep -q new; do sleep 2; done';
const restart = 'kubectl rollout restart deployment/store';
const block = (...commands: string[]): string => `\n\`\`\`sh\n${commands.join('\n')}\n\`\`\`\n`;

const unrefreshed = 'the restart of store reads Secret store-users, which no earlier command refreshes by force-sync';
const unawaited =
  'the restart of store reads Secret store-users: no command between force-sync and the restart waits for its new value';

describe('restarts of the page on rotations', () => {
  it.each([
    ['follow a refresh and a wait', block(refresh, wait, restart)],
    ['follow them in other blocks', `${block(refresh.replace(' force', ' \\\n  force'), wait)}\n${block(restart)}`],
    ['of another process need neither', block('kubectl rollout restart deployment/gateway')],
  ])('%s', (_, page) => expect(rotationProblems(page, objects)).toEqual([]));

  it.each([
    ['without a refresh', block(wait, restart), unrefreshed],
    ['in prose', `Change the password, then \`${restart}\`.`, unrefreshed],
    ['before the refresh', block(restart, refresh, wait), unrefreshed],
    ['of another secret alone', block(refresh.replace('store-users ', ''), wait, restart), unrefreshed],
    ['without a wait', block(refresh, restart), unawaited],
    ['with a wait before the refresh', block(wait, refresh, restart), unawaited],
  ])('are found %s', (_, page, problem) => expect(rotationProblems(page, objects)).toEqual([problem]));
});
