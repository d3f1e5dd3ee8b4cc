import { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { HostsFile } from './hosts-file';

/** No name server returned an address, or none responded in time. */
export class NameError extends Error {
  readonly code = 'ENAME';
}

/** Resolves a name to all its addresses; throws when there are none. */
export type ResolveName = (hostname: string) => Promise<readonly LookupAddress[]>;

const tryMs = 1000;
const tries = 2;
/** Timeout of one lookup. */
const lookupMs = 3000;
/**
 * With IPv4 addresses at hand, how long IPv6 ones are waited for (RFC 8305, 3): some name servers never answer AAAA. IPv4 is
 * always waited for, because not every network has IPv6.
 */
const ipv6WaitMs = 300;

/**
 * Resolves partners' host names with one resolver each, which needs no thread: `dns.lookup` shares the four threads of libuv
 * with everything else, so unresponsive name servers of one partner would block all. The hosts file comes first, as for the
 * system.
 */
export class PartnerNames {
  constructor(
    /** `address:port` of name servers; by default those of the system. */
    private readonly servers?: readonly string[],
    private readonly hosts: Pick<HostsFile, 'addressesOf'> = new HostsFile(),
  ) {}

  /** All addresses of a name, IPv4 first, without IPv6 ones that are late; throws `NameError`. */
  readonly resolve: ResolveName = async (hostname) => {
    const local = this.hosts.addressesOf(hostname);
    if (local.length > 0) return local;
    const resolver = new Resolver({ timeout: tryMs, tries });
    if (this.servers) resolver.setServers(this.servers);
    const cancelAfter = (ms: number): NodeJS.Timeout => setTimeout(() => resolver.cancel(), ms);
    const timers = [cancelAfter(lookupMs)];
    try {
      const [ipv4, ipv6] = [resolver.resolve4(hostname), resolver.resolve6(hostname)];
      const waiting = Promise.allSettled([ipv4, ipv6]);
      if (await ipv4.catch(() => null)) timers.push(cancelAfter(ipv6WaitMs));
      const answers = await waiting;
      const found = answers.flatMap((answer, at) =>
        answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family: at === 0 ? 4 : 6 })) : [],
      );
      if (found.length === 0) throw new NameError('the name has no address');
      return found;
    } finally {
      timers.forEach(clearTimeout);
    }
  };
}
