import { parseAllDocuments } from 'yaml';
import { networkPolicies } from '../generators/network-policies';
import { Manifest } from '../generators/yaml-file';
import { ipBlocks } from './ip-blocks';

function policy(...blocks: { cidr: string; except?: string[] }[]): Manifest {
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: 'linkage' },
    spec: {
      podSelector: {},
      policyTypes: ['Egress'],
      egress: [{ to: blocks.map((ipBlock) => ({ ipBlock })) }],
    },
  };
}

const check = (...objects: Manifest[]): string => ipBlocks([{ name: 'test', objects }]).problems.join('\n');

describe('networks of policies', () => {
  it('accepts exceptions that lie inside their block', () => {
    expect(
      check(
        policy(
          { cidr: '0.0.0.0/0', except: ['10.0.0.0/8', '192.168.0.0/16'] },
          { cidr: '::/0', except: ['fc00::/7'] },
          { cidr: '10.1.0.0/16' },
        ),
      ),
    ).toBe('');
  });

  it('accepts every generated policy', () => {
    const objects = networkPolicies().flatMap(({ content }) =>
      parseAllDocuments(content).map((document) => document.toJS() as Manifest),
    );
    const { detail, problems } = ipBlocks([{ name: 'test', objects }]);
    expect(problems).toEqual([]);
    expect(detail).not.toMatch(/^0 /);
  });

  it.each([
    ['an IPv4-mapped network, which an API server treats as IPv4', '::/0', '::ffff:0:0/96'],
    ['a network of the other family', '0.0.0.0/0', 'fc00::/7'],
    ['a network outside of the block', '10.0.0.0/8', '192.168.0.0/16'],
    ['the whole block', '10.0.0.0/8', '10.0.0.0/8'],
    ['more than the block', '10.1.0.0/16', '10.0.0.0/8'],
    ['no network', '0.0.0.0/0', '10.0.0.0'],
    ['no address', '0.0.0.0/0', '10.0.0.256/32'],
    ['a length that its family does not have', '0.0.0.0/0', '10.0.0.0/33'],
  ])('finds an exception that is %s', (_, cidr, hole) => {
    expect(check(policy({ cidr, except: [hole] }))).toContain(`test: NetworkPolicy linkage excludes ${hole}`);
  });

  it('finds a block that is not a network, for ingress too', () => {
    const incoming = { from: [{ ipBlock: { cidr: '::ffff:10.0.0.0/104' } }] };
    const object: Manifest = { ...policy(), spec: { podSelector: {}, policyTypes: ['Ingress'], ingress: [incoming] } };
    expect(check(object)).toContain('has ::ffff:10.0.0.0/104, which is not a network');
  });
});
