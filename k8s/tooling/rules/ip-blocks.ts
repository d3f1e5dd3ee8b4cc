import { BlockList, isIP } from 'node:net';
import { CheckResult } from '../checks/check-list';
import { Overlay, nameOf, ofKind } from '../checks/overlays';
import { IpBlock, NetworkPolicy } from './network-policy-types';

/**
 * An API server accepts the IP blocks of all policies: each exception lies inside its block, is smaller and of the same
 * family. The schemas do not check this, and a refused policy leaves its pods under the policy that denies everything.
 */
export function ipBlocks(overlays: readonly Overlay[]): CheckResult {
  let looked = 0;
  const problems = overlays.flatMap((overlay) =>
    ofKind<NetworkPolicy>(overlay, 'NetworkPolicy').flatMap((policy) =>
      blocksOf(policy).flatMap((block) => {
        looked += 1 + (block.except?.length ?? 0);
        return problemsOf(block).map((problem) => `${overlay.name}: ${nameOf(policy)} ${problem}`);
      }),
    ),
  );
  return { detail: `${looked} networks, exceptions inside their blocks`, problems };
}

function blocksOf({ spec }: NetworkPolicy): IpBlock[] {
  const rules = [...(spec.ingress ?? []), ...(spec.egress ?? [])];
  const peers = rules.flatMap(({ from = [], to = [] }) => [...from, ...to]);
  return peers.flatMap(({ ipBlock }) => ipBlock ?? []);
}

function problemsOf({ cidr, except = [] }: IpBlock): string[] {
  const block = parse(cidr);
  if (!block) return [`has ${cidr}, which is not a network`];
  const inside = new BlockList();
  inside.addSubnet(block.address, block.prefix, block.family);
  return except.flatMap((text) => {
    const hole = parse(text);
    if (!hole) return [`excludes ${text}, which is not a network`];
    const isInside = hole.family === block.family && inside.check(hole.address, hole.family);
    return isInside && hole.prefix > block.prefix ? [] : [`excludes ${text}, which does not lie inside ${cidr}`];
  });
}

interface Network {
  readonly address: string;
  readonly family: 'ipv4' | 'ipv6';
  /** Length in bits. */
  readonly prefix: number;
}

const mapped = new BlockList();
mapped.addSubnet('::ffff:0:0', 96, 'ipv6');

/** A network in CIDR notation; an IPv4-mapped one is not accepted, because API servers treat its addresses as IPv4. */
function parse(text: string): Network | undefined {
  const [, address, length] = /^([^/]+)\/(\d{1,3})$/.exec(text) ?? [];
  const version = isIP(address ?? '');
  const prefix = Number(length);
  if (version === 0 || prefix > (version === 4 ? 32 : 128)) return undefined;
  const family = version === 4 ? 'ipv4' : 'ipv6';
  return family === 'ipv6' && mapped.check(address, family) ? undefined : { address, family, prefix };
}
