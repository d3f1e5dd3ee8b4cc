import { Packr } from 'msgpackr';
import { HistoryEvent } from '../evaluation/history';
import { isLate } from '../evaluation/user-history';
import { PackedTerms, packRunning, packTerms, unpackRunning, unpackTerms } from './packed-terms';
import { FinalState, PackedHistory, StoredHistory } from './stored-history';

/** The packed forms; readers refuse another number. Only histories with groups of late events need the newer one. */
const formats = { plain: 3, withLateGroups: 4 } as const;

/** [id, created_at, received_at - created_at, linked_at, account, contract version, then names and values in turn] */
type PackedEvent = [string, number, number, number, number, number, ...(string | number)[]];
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
  /** How many of the events are late; missing in rows of earlier releases. */
  lateCount?: number,
];
type PackedGroup = [newest: PackedEvent, parts: PackedTerms];
type PackedFinalState = [
  newestFinal: PackedEvent | null,
  tail: PackedEvent[],
  parts: PackedTerms,
  sequences: (string | number | null)[],
  lateGroups?: PackedGroup[],
];

/** Sums, least and greatest values may exceed 64 bits. */
const packr = new Packr({ useRecords: false, moreTypes: false, int64AsType: 'bigint', useBigIntExtension: true });
const nothing = new Uint8Array();

/** Packs a history. Texts that events share are written once; what has not changed is not packed again. */
export function packHistory(history: StoredHistory): Uint8Array {
  const { events: unchangedEvents, final: unchangedFinal } = history.unchanged;
  const known = unchangedEvents instanceof Unpacked ? unchangedEvents : null;
  const knownFinal = unchangedFinal instanceof Unpacked && unchangedFinal === known ? unchangedFinal : null;
  const texts = new Texts(known);
  const added = (known === null ? history.events : history.appendedEvents).map((event) =>
    packr.pack(texts.pack(event)),
  );
  const events = added.length === 0 ? (known?.events ?? nothing) : Buffer.concat([known?.events ?? nothing, ...added]);
  const newestAt = added.length === 0 ? (known?.newestAt ?? 0) : events.length - added[added.length - 1].length;
  const finalState = knownFinal?.finalState ?? packr.pack(packFinalState(history.final, texts));
  const { count, lateCount, firstSeenAt, lastSeenAt, lastReceivedAt, lastCreatedAt, linkedAts } = history.summary;
  const summary = [count, firstSeenAt, lastSeenAt, lastReceivedAt, lastCreatedAt, newestAt];
  for (const linkedAt of linkedAts) summary.push(texts.linkedAts.of(linkedAt));
  const months = [history.months.from];
  for (const month of [...history.months.counts.keys()].sort()) months.push(month, history.months.counts.get(month)!);
  const packed: Packed = [
    history.hasLateGroups ? formats.withLateGroups : formats.plain,
    history.finalTo,
    history.keptFor,
    texts.linkedAts.values,
    texts.accounts.values,
    texts.names.values,
    summary,
    packRunning(history.running),
    months,
    events,
    finalState,
    lateCount,
  ];
  return packr.pack(packed);
}

/** Unpacks a history of events of one name; throws on a form that this release does not know. */
export function unpackHistory(name: string, bytes: Uint8Array): StoredHistory {
  const packed = packr.unpack(bytes) as Packed;
  const [format, finalTo, keptFor, linkedAts, , , summary, running, months, , , knownLateCount] = packed;
  if (format !== formats.plain && format !== formats.withLateGroups)
    throw new Error(`the history of ${name} has format ${format}`);
  const [count, firstSeenAt, lastSeenAt, lastReceivedAt, lastCreatedAt] = summary;
  const unpacked = new Unpacked(name, packed);
  const lateCount = knownLateCount ?? unpacked.decodeEvents().filter(isLate).length;
  const ofLinks = new Set<number>();
  for (let i = 6; i < summary.length; i++) ofLinks.add(linkedAts[summary[i]]);
  const history = new StoredHistory(unpacked, {
    count,
    lateCount,
    firstSeenAt,
    lastSeenAt,
    lastReceivedAt,
    lastCreatedAt,
    linkedAts: ofLinks,
  });
  history.finalTo = finalTo;
  history.keptFor = keptFor;
  unpackRunning(running, history.running);
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

  get hasLateGroups(): boolean {
    return this.packed[0] === formats.withLateGroups;
  }

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
    if (this.events.length === 0) return [];
    return (packr.unpackMultiple(this.events) as PackedEvent[]).map((event) => this.unpack(event));
  }

  decodeNewest(): HistoryEvent | null {
    if (this.events.length === 0) return null;
    return this.unpack(packr.unpack(this.events.subarray(this.newestAt)) as PackedEvent);
  }

  decodeFinalState(): FinalState {
    const [newestFinal, tail, parts, sequences, groups = []] = packr.unpack(this.finalState) as PackedFinalState;
    const state: FinalState = {
      newestFinal: newestFinal === null ? null : this.unpack(newestFinal),
      tail: tail.map((event) => this.unpack(event)),
      lateGroups: groups.map(([newest, ofGroup]) => ({ newest: this.unpack(newest), parts: unpackTerms(ofGroup) })),
      parts: unpackTerms(parts),
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

function packFinalState(state: FinalState, texts: Texts): PackedFinalState {
  const { newestFinal, tail, parts, sequences, lateGroups } = state;
  const packed: PackedFinalState = [
    newestFinal === null ? null : texts.pack(newestFinal),
    tail.map((event) => texts.pack(event)),
    packTerms(parts),
    [...sequences].flat(),
  ];
  if (lateGroups.length > 0)
    packed.push(lateGroups.map((group): PackedGroup => [texts.pack(group.newest), packTerms(group.parts)]));
  return packed;
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
