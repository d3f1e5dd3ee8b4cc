import { Socket, createSocket } from 'node:dgram';
import { isIPv4, isIPv6 } from 'node:net';

const typeA = 1;
const typeAaaa = 28;

/** A DNS server over UDP (RFC 1035): it resolves configured names, ignores silent ones, and returns NXDOMAIN for others. */
export class NameServer {
  /** Received questions in order, as `A name` or `AAAA name`. */
  readonly asked: string[] = [];
  private readonly known = new Map<string, readonly string[][]>();
  /** How many questions are ignored. */
  private readonly silent = new Map<string, number>();
  private readonly socket: Socket = createSocket('udp4', (message, { address, port }) => {
    const answer = this.answerTo(message);
    if (answer) this.socket.send(answer, port, address);
  });

  start(): Promise<void> {
    return new Promise((resolve) => this.socket.bind(0, '127.0.0.1', resolve));
  }

  stop(): Promise<void> {
    return new Promise((resolve) => this.socket.close(resolve));
  }

  get address(): string {
    return `127.0.0.1:${this.socket.address().port}`;
  }

  reset(): void {
    this.asked.length = 0;
    this.known.clear();
    this.silent.clear();
  }

  /** Sets the addresses of a name; several lists are returned one after the other, the last one permanently. */
  answers(name: string, ...addresses: string[][]): void {
    this.known.set(name, addresses);
  }

  /** Ignores questions for a name: all, or those of one type, or the first ones of that type. */
  isSilentFor(name: string, type?: 'A' | 'AAAA', times = Infinity): void {
    for (const each of type ? [type] : ['A', 'AAAA']) this.silent.set(`${each} ${name}`, times);
  }

  private answerTo(query: Buffer): Buffer | null {
    const { name, type, end } = questionOf(query);
    const text = questionText(type, name);
    const before = this.asked.filter((question) => question === text).length;
    this.asked.push(text);
    if (before < (this.silent.get(text) ?? 0)) return null;
    const lists = this.known.get(name);
    const found = (lists?.[Math.min(before, lists.length - 1)] ?? []).filter(type === typeA ? isIPv4 : isIPv6);
    const header = Buffer.alloc(12);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(lists ? 0x8180 : 0x8183, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(found.length, 6);
    return Buffer.concat([header, query.subarray(12, end), ...found.map((address) => recordOf(type, address))]);
  }
}

function questionText(type: number, name: string): string {
  return `${type === typeAaaa ? 'AAAA' : 'A'} ${name}`;
}

function questionOf(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (; query[at] > 0; at += query[at] + 1) labels.push(query.toString('latin1', at + 1, at + 1 + query[at]));
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** A resource record for the question's name, with a TTL of 0 so that no resolver caches it. */
function recordOf(type: number, address: string): Buffer {
  const data = type === typeA ? Buffer.from(address.split('.').map(Number)) : ipv6Bytes(address);
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

function ipv6Bytes(address: string): Buffer {
  const [left, right = ''] = address.split('::');
  const words = (text: string): number[] => (text === '' ? [] : text.split(':').map((word) => parseInt(word, 16)));
  const [before, after] = [words(left), words(right)];
  const all = [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
  return Buffer.from(all.flatMap((word) => [word >> 8, word & 0xff]));
}
