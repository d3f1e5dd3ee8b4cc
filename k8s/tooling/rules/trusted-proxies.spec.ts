import { Manifest } from '../generators/yaml-file';
import { trustedProxies } from './trusted-proxies';

const gateway = (networks: string): Manifest => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'gateway', labels: { 'app.kubernetes.io/component': 'service' } },
  spec: {
    template: { spec: { containers: [{ name: 'service', env: [{ name: 'TRUSTED_PROXIES', value: networks }] }] } },
  },
});
const check = (networks: string, name = 'production'): readonly string[] =>
  trustedProxies([{ name, objects: [gateway(networks)] }]).problems;

describe('trusted proxies of a deployment', () => {
  it.each(['', '10.244.0.0/16', '10.0.0.0/14', '198.51.100.0/24, 192.168.7.1', 'fd12:3456::/48', '192.168.0.0/16'])(
    'are the network %j',
    (networks) => expect(check(networks)).toEqual([]),
  );

  it.each(['10.0.0.0/8', '10.1.2.3/8', '8.0.0.0/5', '172.16.0.0/12', 'fc00::/7', '0.0.0.0/0'])(
    'are not %s, which has nodes and load balancers too',
    (network) => {
      expect(check(`10.244.0.0/16,${network}`)).toEqual([
        `production: TRUSTED_PROXIES has ${network}, a whole private network: name that of the proxies`,
      ]);
    },
  );

  it("may be any on a developer's machine", () => expect(check('10.0.0.0/8', 'local')).toEqual([]));
});
