import { Occurrences } from '../evaluation/owed';

/** Consecutive occurrences: those of `every` share a series (`g1:every`), any other occurrence is a series of its own. */
export interface OccurrenceRange {
  readonly series: string;
  readonly first: number;
  readonly last: number;
}

const everyPattern = /^(g\d+:every):(\d+)$/;

/** The range of what is owed at one instant. */
export function rangeOf(occurrences: Occurrences): OccurrenceRange {
  if (occurrences.kind === 'one') return { series: occurrences.occurrence, first: 1, last: 1 };
  const { generation, first, last } = occurrences;
  return { series: `g${generation}:every`, first, last };
}

/** The range of one occurrence, by its key. */
export function rangeOfKey(occurrence: string): OccurrenceRange {
  const match = everyPattern.exec(occurrence);
  if (!match) return { series: occurrence, first: 1, last: 1 };
  return { series: match[1], first: Number(match[2]), last: Number(match[2]) };
}

/** The key of the n-th occurrence of a series. */
export function occurrenceKey(series: string, n: number): string {
  return series.endsWith(':every') ? `${series}:${n}` : series;
}

/** The keys of the occurrences of a range. */
export function occurrencesOf({ series, first, last }: OccurrenceRange): string[] {
  return Array.from({ length: last - first + 1 }, (_, n) => occurrenceKey(series, first + n));
}

/** The number of occurrences in a range. */
export function lengthOf({ first, last }: OccurrenceRange): number {
  return last - first + 1;
}

/** Finds the values of ranges. Throws a `TypeError` when two of them overlap: which value counts is the caller's to say. */
export class RangeMap<T> {
  private readonly bySeries = new Map<string, { range: OccurrenceRange; value: T }[]>();

  constructor(entries: Iterable<{ readonly range: OccurrenceRange; readonly value: T }>) {
    for (const entry of entries) {
      const known = this.bySeries.get(entry.range.series);
      if (known) known.push(entry);
      else this.bySeries.set(entry.range.series, [entry]);
    }
    for (const list of this.bySeries.values()) {
      list.sort((a, b) => a.range.first - b.range.first);
      for (const [at, { range }] of list.entries())
        if (at > 0 && range.first <= list[at - 1].range.last)
          throw new TypeError(`two ranges have ${occurrenceKey(range.series, range.first)}`);
    }
  }

  /** The parts of a range in order: those that an entry covers, with its value, and those between. */
  cut({ series, first, last }: OccurrenceRange): { readonly range: OccurrenceRange; readonly value?: T }[] {
    const entries = this.bySeries.get(series) ?? [];
    const parts: { range: OccurrenceRange; value?: T }[] = [];
    let next = first;
    for (let at = firstEndingFrom(entries, first); at < entries.length && entries[at].range.first <= last; at++) {
      const { range, value } = entries[at];
      if (range.first > next) parts.push({ range: { series, first: next, last: range.first - 1 } });
      parts.push({ range: { series, first: Math.max(next, range.first), last: Math.min(last, range.last) }, value });
      next = range.last + 1;
    }
    if (next <= last) parts.push({ range: { series, first: next, last } });
    return parts;
  }

  /** The value of one occurrence. */
  at(range: OccurrenceRange): T | undefined {
    return this.cut({ ...range, last: range.first })[0].value;
  }
}

function firstEndingFrom(entries: readonly { range: OccurrenceRange }[], n: number): number {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (entries[middle].range.last < n) low = middle + 1;
    else high = middle;
  }
  return low;
}
