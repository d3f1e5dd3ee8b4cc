import { LookupAddress } from 'node:dns';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';

const rereadMs = 10_000;

/** The names in this machine's hosts file. */
export class HostsFile {
  private names: ReadonlyMap<string, readonly LookupAddress[]> = new Map();
  private readAtMs = -Infinity;

  constructor(private readonly path = '/etc/hosts') {}

  /** The addresses of a name, none when the file does not have it. */
  addressesOf(hostname: string): readonly LookupAddress[] {
    if (performance.now() - this.readAtMs > rereadMs) {
      this.names = namesIn(this.read());
      this.readAtMs = performance.now();
    }
    return this.names.get(hostname.toLowerCase()) ?? [];
  }

  private read(): string {
    try {
      // Synchronous, because it is short and a lookup must not wait for a thread.
      return readFileSync(this.path, 'utf8');
    } catch {
      return '';
    }
  }
}

function namesIn(text: string): Map<string, LookupAddress[]> {
  const names = new Map<string, LookupAddress[]>();
  for (const line of text.split('\n')) {
    const [address, ...aliases] = line.replace(/#.*/, '').trim().split(/\s+/);
    const family = isIP(address);
    if (family !== 0)
      for (const alias of aliases.map((name) => name.toLowerCase()))
        names.set(alias, [...(names.get(alias) ?? []), { address, family }]);
  }
  return names;
}
