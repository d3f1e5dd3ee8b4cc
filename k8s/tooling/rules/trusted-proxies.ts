import { BlockList } from 'node:net';
import { CheckResult } from '../checks/check-list';
import { Overlay } from '../checks/overlays';
import { environmentOf, servicesOf } from './workloads';

/** Whole private networks (RFC 1918, RFC 4193): each may have nodes, load balancers and clients as well as proxies. */
const privateNetworks = [
  { address: '10.0.0.0', bits: 8, family: 'ipv4' },
  { address: '172.16.0.0', bits: 12, family: 'ipv4' },
  { address: 'fc00::', bits: 7, family: 'ipv6' },
] as const;

/** Deployments that others reach trust no address but those of their proxies: who is trusted may claim to be anybody. */
export function trustedProxies(overlays: readonly Overlay[]): CheckResult {
  const deployed = overlays.filter(({ name }) => name !== 'local');
  const problems = deployed.flatMap((overlay) =>
    networksOf(overlay)
      .filter(hasWholePrivateNetwork)
      .map(
        (network) =>
          `${overlay.name}: TRUSTED_PROXIES has ${network}, a whole private network: name that of the proxies`,
      ),
  );
  return { detail: `proxies of ${deployed.map(({ name }) => name).join(' and ')}`, problems };
}

function networksOf(overlay: Overlay): string[] {
  return servicesOf(overlay)
    .filter(({ metadata }) => metadata.name === 'gateway')
    .flatMap(({ spec }) => environmentOf(overlay, spec.template.spec.containers[0]).TRUSTED_PROXIES?.split(',') ?? [])
    .map((network) => network.trim())
    .filter((network) => network !== '');
}

function hasWholePrivateNetwork(network: string): boolean {
  const [address, length] = network.split('/');
  const family = address.includes(':') ? 'ipv6' : 'ipv4';
  const trusted = new BlockList();
  trusted.addSubnet(address, Number(length ?? (family === 'ipv4' ? 32 : 128)), family);
  return privateNetworks.some(
    (each) => each.family === family && Number(length) <= each.bits && trusted.check(each.address, family),
  );
}
