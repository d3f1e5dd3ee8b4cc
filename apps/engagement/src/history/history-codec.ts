import { Decoder, Encoder } from '@msgpack/msgpack';
import { HistoryEvent } from '../evaluation/history';
import { Part } from '../evaluation/tally';
import { FinalState, PackedHistory, StoredHistory } from './stored-history';

/** The packed form; readers refuse another number. */
const formatVersion = 2;

/** [id, created_at, received_at - created_at, linked_at, account, contract version, then names and values in turn] */
type PackedEvent = [string, number, number, number, number, number, ...(string | number)[]];
/** A sum, least or greatest value is a text of billionths, because it may exceed 64 bits. */
type PackedPart = number | string | readonly string[];
/** [unit, first bucket, its part, then the distance to the next bucket in units, its part …] */
type PackedBuckets = (number | PackedPart)[];
type PackedTerms = [id: string, buckets: PackedBuckets][];
type Packed = [
  format: number,
  finalTo: number,
  keptFor: string,
  linkedAts: number[],
  accounts: string[],
  attributeNames: string[],
  /** [count, first second, last second, last receipt, last created_at, where the newest event begins, then the places of the links] */
  summary: number[],
  running: PackedTerms,
  months: number[],
  /** Events, one after the other. */
  events: Uint8Array,
  finalState: Uint8Array,
];
type PackedFinalState = [
  newestFinal: PackedEvent | null,
  tail: PackedEvent[],
  parts: PackedTerms,
  sequences: (string | number | null)[],
];

const encoder = new Encoder();
const decoder = new Decoder();
const nothing = new Uint8Array();

/** Packs a history. Texts that events share are written once; what has not changed is not packed again. */
export function packHistory(history: StoredHistory): Uint8Array {
  const { events: unchangedEvents, final: unchangedFinal } = history.unchanged;
  const known = unchangedEvents instanceof Unpacked ? unchangedEvents : null;
  const knownFinal = unchangedFinal instanceof Unpacked && unchangedFinal === known ? unchangedFinal : null;
  const texts = new Texts(known);
  const added = (known === null ? history.events : history.appendedEvents).map((event) =>
    encoder.encode(texts.pack(event)),
  );
  const events = added.length === 0 ? (known?.events ?? nothing) : Buffer.concat([known?.events ?? nothing, ...added]);
  const newestAt = added.length === 0 ? (known?.newestAt ?? 0) : events.length - added[added.length - 1].length;
  const finalState = knownFinal?.finalState ?? encoder.encode(packFinalState(history.final, texts));
  const { count, firstSeenAt, lastSeenAt, lastReceivedAt, lastCreatedAt, linkedAts } = history.summary;
  const summary = [count, firstSeenAt, lastSeenAt, lastReceivedAt, lastCreatedAt, newestAt];
  for (const linkedAt of linkedAts) summary.push(texts.linkedAts.of(linkedAt));
  const months = [history.months.from];
  for (const month of [...history.months.counts.keys()].sort()) months.push(month, history.months.counts.get(month)!);
  const packed: Packed = [
    formatVersion,
    history.finalTo,
    history.keptFor,
    texts.linkedAts.values,
    texts.accounts.values,
    texts.names.values,
    summary,
    packTerms(history.running),
    months,
    events,
    finalState,
  ];
  return encoder.encode(packed);
}

/** Unpacks a history of events of one name; throws on a form that this release does not know. */
export function unpackHistory(name: string, bytes: Uint8Array): StoredHistory {
  const packed = decoder.decode(bytes) as Packed;
  const [format, finalTo, keptFor, linkedAts, , , summary, running, months] = packed;
  if (format !== formatVersion) throw new Error(`the history of ${name} has format ${format}`);
  const [count, firstSeenAt, lastSeenAt, lastReceivedAt, lastCreatedAt] = summary;
  const history = new StoredHistory(new Unpacked(name, packed));
  history.finalTo = finalTo;
  history.keptFor = keptFor;
  history.summary = { count, firstSeenAt, lastSeenAt, lastReceivedAt, lastCreatedAt, linkedAts: new Set() };
  for (let i = 6; i < summary.length; i++) history.summary.linkedAts.add(linkedAts[summary[i]]);
  for (const [id, buckets] of running) history.running.set(id, unpackBuckets(buckets));
  history.months.from = months[0];
  for (let i = 1; i < months.length; i += 2) history.months.counts.set(months[i], months[i + 1]);
  return history;
}

/** A packed history whose events and final state are still bytes. */
class Unpacked implements PackedHistory {
  constructor(
    private readonly name: string,
    private readonly packed: Packed,
  ) {}

  get linkedAts(): readonly number[] {
    return this.packed[3];
  }

  get accounts(): readonly string[] {
    return this.packed[4];
  }

  get attributeNames(): readonly string[] {
    return this.packed[5];
  }

  get newestAt(): number {
    return this.packed[6][5];
  }

  get events(): Uint8Array {
    return this.packed[9];
  }

  get finalState(): Uint8Array {
    return this.packed[10];
  }

  decodeEvents(): HistoryEvent[] {
    const events: HistoryEvent[] = [];
    for (const event of decoder.decodeMulti(this.events)) events.push(this.unpack(event as PackedEvent));
    return events;
  }

  decodeNewest(): HistoryEvent | null {
    if (this.events.length === 0) return null;
    return this.unpack(decoder.decode(this.events.subarray(this.newestAt)) as PackedEvent);
  }

  decodeFinalState(): FinalState {
    const [newestFinal, tail, parts, sequences] = decoder.decode(this.finalState) as PackedFinalState;
    const state: FinalState = {
      newestFinal: newestFinal === null ? null : this.unpack(newestFinal),
      tail: tail.map((event) => this.unpack(event)),
      parts: new Map(parts.map(([id, buckets]) => [id, unpackBuckets(buckets)])),
      sequences: new Map(),
    };
    for (let i = 0; i < sequences.length; i += 2)
      state.sequences.set(sequences[i] as string, sequences[i + 1] as number | null);
    return state;
  }

  private unpack(event: PackedEvent): HistoryEvent {
    const [id, createdAt, delayS, link, account, contractVersion] = event;
    const attributes: Record<string, string> = {};
    for (let i = 6; i < event.length; i += 2) {
      const name = this.attributeNames[event[i] as number];
      // Assigned, `__proto__` would be no attribute.
      if (name === '__proto__') Object.defineProperty(attributes, name, { ...own, value: event[i + 1] });
      else attributes[name] = event[i + 1] as string;
    }
    return {
      id,
      name: this.name,
      createdAt,
      receivedAt: createdAt + delayS,
      contractVersion,
      linkedAt: this.linkedAts[link],
      account: this.accounts[account],
      attributes,
    };
  }
}

const own = { configurable: true, enumerable: true, writable: true };

/** Places of the texts that events share. */
class Texts {
  readonly linkedAts: Index<number>;
  readonly accounts: Index<string>;
  readonly names: Index<string>;

  constructor(known: Unpacked | null) {
    this.linkedAts = new Index(known?.linkedAts);
    this.accounts = new Index(known?.accounts);
    this.names = new Index(known?.attributeNames);
  }

  pack(event: HistoryEvent): PackedEvent {
    const packed: PackedEvent = [
      event.id,
      event.createdAt,
      event.receivedAt - event.createdAt,
      this.linkedAts.of(event.linkedAt),
      this.accounts.of(event.account),
      event.contractVersion,
    ];
    for (const name of Object.keys(event.attributes)) packed.push(this.names.of(name), event.attributes[name]);
    return packed;
  }
}

function packFinalState({ newestFinal, tail, parts, sequences }: FinalState, texts: Texts): PackedFinalState {
  return [
    newestFinal === null ? null : texts.pack(newestFinal),
    tail.map((event) => texts.pack(event)),
    packTerms(parts),
    [...sequences].flat(),
  ];
}

function packTerms(terms: ReadonlyMap<string, ReadonlyMap<number, Part>>): PackedTerms {
  const packed: PackedTerms = [];
  for (const [id, buckets] of terms) packed.push([id, packBuckets(buckets)]);
  return packed;
}

/** Days and hours of all zones begin at quarters of an hour. */
const quarterS = 900;

function packBuckets(buckets: ReadonlyMap<number, Part>): PackedBuckets {
  let unit = quarterS;
  for (const bucket of buckets.keys()) if (bucket % quarterS !== 0) unit = 1;
  const packed: PackedBuckets = [unit];
  let last: number | null = null;
  for (const [bucket, part] of inOrder(buckets)) {
    packed.push(last === null ? bucket : (bucket - last) / unit, typeof part === 'bigint' ? String(part) : part);
    last = bucket;
  }
  return packed;
}

/** Buckets lie in order unless an event came late. */
function inOrder(buckets: ReadonlyMap<number, Part>): Iterable<[number, Part]> {
  let last = -Infinity;
  for (const bucket of buckets.keys()) {
    if (bucket < last) return [...buckets].sort(([a], [b]) => a - b);
    last = bucket;
  }
  return buckets;
}

function unpackBuckets(packed: PackedBuckets): Map<number, Part> {
  const buckets = new Map<number, Part>();
  const unit = packed[0] as number;
  let bucket = 0;
  for (let i = 1; i < packed.length; i += 2) {
    bucket += (packed[i] as number) * (i === 1 ? 1 : unit);
    const part = packed[i + 1];
    buckets.set(bucket, typeof part === 'string' ? BigInt(part) : part);
  }
  return buckets;
}

/** Few values: a search is faster than a map. */
class Index<T> {
  readonly values: T[];

  constructor(known: readonly T[] = []) {
    this.values = [...known];
  }

  of(value: T): number {
    const known = this.values.indexOf(value);
    return known === -1 ? this.values.push(value) - 1 : known;
  }
}
