import { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

/** Finds the client's address behind trusted proxies. */
export class ClientAddresses {
  private readonly trusted = new BlockList();

  /** Accepts networks as CIDR or single addresses; throws on anything else. */
  constructor(trustedProxies: readonly string[]) {
    for (const network of trustedProxies) {
      const [ip, bits] = network.split('/');
      const family = familyOf(ip);
      if (!family) throw new Error(`TRUSTED_PROXIES: ${network} is not an address or network`);
      this.trusted.addSubnet(ip, Number(bits ?? (family === 'ipv4' ? 32 : 128)), family);
    }
  }

  /** The last address that is not a trusted proxy's. Addresses before it in X-Forwarded-For may be forged by the client. */
  addressOf(request: IncomingMessage): string {
    let address = plainAddress(request.socket.remoteAddress ?? '');
    const header = request.headers['x-forwarded-for'];
    const hops =
      typeof header === 'string' ? header.split(',').map((hop) => plainAddress(withoutPort(hop.trim()))) : [];
    while (hops.length > 0 && this.isTrusted(address)) {
      const next = hops.pop() ?? '';
      if (!familyOf(next)) break;
      address = next;
    }
    return address;
  }

  /** Whether an address is that of a trusted proxy. */
  isTrusted(address: string): boolean {
    const family = familyOf(address);
    return family !== null && this.trusted.check(address, family);
  }
}

/** The address of an entry of X-Forwarded-For: some proxies write the client's port too, and IPv6 then in brackets. */
function withoutPort(entry: string): string {
  const [, ipv4, ipv6] = /^(?:(\d+(?:\.\d+){3}):\d{1,5}|\[([^\]]*)\](?::\d{1,5})?)$/.exec(entry) ?? [];
  return ipv4 ?? ipv6 ?? entry;
}

function familyOf(address: string): 'ipv4' | 'ipv6' | null {
  const version = isIP(address);
  return version === 4 ? 'ipv4' : version === 6 ? 'ipv6' : null;
}

/** An address; an IPv4 one that came over an IPv6 socket is returned without its prefix. */
export function plainAddress(address: string): string {
  return address.startsWith('::ffff:') ? address.slice(7) : address;
}
