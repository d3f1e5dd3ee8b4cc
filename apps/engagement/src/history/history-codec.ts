import { decode, encode } from '@msgpack/msgpack';
import { HistoryEvent } from '../evaluation/history';
import { Part } from '../evaluation/tally';
import { NameHistory } from '../evaluation/user-history';

/** The packed form; readers refuse another number. */
const formatVersion = 1;

/** [id, created_at, received_at - created_at, linked_at, account, contract version, then names and values in turn] */
type PackedEvent = [string, number, number, number, number, number, ...(string | number)[]];
/** A sum, least or greatest value is a text of billionths, because it may exceed 64 bits. */
type PackedPart = number | string | readonly string[];
type Packed = [
  format: number,
  finalTo: number,
  linkedAts: number[],
  accounts: string[],
  attributeNames: string[],
  events: PackedEvent[],
  newestFinal: PackedEvent | null,
  tail: PackedEvent[],
  parts: [string, [number, PackedPart][]][],
  sequences: [string, number | null][],
];

/** Packs a history; texts that events share are written once. */
export function packHistory(history: NameHistory): Buffer {
  const linkedAts = new Index<number>();
  const accounts = new Index<string>();
  const names = new Index<string>();
  const pack = (event: HistoryEvent): PackedEvent => [
    event.id,
    event.createdAt,
    event.receivedAt - event.createdAt,
    linkedAts.of(event.linkedAt),
    accounts.of(event.account),
    event.contractVersion,
    ...Object.entries(event.attributes).flatMap(([name, value]) => [names.of(name), value]),
  ];
  const events = history.events.map(pack);
  const newestFinal = history.newestFinal === null ? null : pack(history.newestFinal);
  const tail = history.tail.map(pack);
  const packed: Packed = [
    formatVersion,
    history.finalTo,
    linkedAts.values,
    accounts.values,
    names.values,
    events,
    newestFinal,
    tail,
    [...history.parts].map(([id, buckets]) => [id, [...buckets].map(([bucket, part]) => [bucket, packPart(part)])]),
    [...history.sequences],
  ];
  return Buffer.from(encode(packed));
}

/** Unpacks a history of events of one name; throws on a form that this release does not know. */
export function unpackHistory(name: string, packed: Uint8Array): NameHistory {
  const value = decode(packed) as Packed;
  const [format, finalTo, linkedAts, accounts, names, events, newestFinal, tail, parts, sequences] = value;
  if (format !== formatVersion) throw new Error(`the history of ${name} has format ${format}`);
  const unpack = ([id, createdAt, delayS, link, account, contractVersion, ...rest]: PackedEvent): HistoryEvent => {
    const attributes: [string, string][] = [];
    for (let i = 0; i < rest.length; i += 2) attributes.push([names[rest[i] as number], rest[i + 1] as string]);
    return {
      ...{ id, name, createdAt, receivedAt: createdAt + delayS, linkedAt: linkedAts[link], account: accounts[account] },
      contractVersion,
      attributes: Object.fromEntries(attributes),
    };
  };
  return {
    finalTo,
    events: events.map(unpack),
    newestFinal: newestFinal === null ? null : unpack(newestFinal),
    tail: tail.map(unpack),
    parts: new Map(
      parts.map(([id, buckets]) => [id, new Map(buckets.map(([bucket, part]) => [bucket, unpackPart(part)]))]),
    ),
    sequences: new Map(sequences),
  };
}

function packPart(part: Part): PackedPart {
  return typeof part === 'bigint' ? String(part) : part;
}

function unpackPart(part: PackedPart): Part {
  return typeof part === 'string' ? BigInt(part) : part;
}

class Index<T> {
  readonly values: T[] = [];
  private readonly places = new Map<T, number>();

  of(value: T): number {
    const known = this.places.get(value);
    if (known !== undefined) return known;
    this.places.set(value, this.values.length);
    return this.values.push(value) - 1;
  }
}
