import { TypedValue } from '@podium/messages';
import { createHash } from 'node:crypto';
import { countToBillionths, formatDecimal } from './exact-decimal';

/** What a term computes of its events. */
export type Measure = 'count' | 'sum' | 'min' | 'max' | 'distinct';

/**
 * A merged part of a term, as it is stored: a number of events, a sum, a least or greatest value, or the smallest keys of the
 * different values.
 */
export type Part = number | bigint | readonly string[];

/** Merges parts and single events of one term. Of different values, it keeps the `keep` smallest keys. */
export class Tally {
  private count = 0;
  private total: bigint | null = null;
  private keys: Set<string> | null = null;

  constructor(
    private readonly measure: Measure,
    private readonly keep: number,
  ) {}

  addEvent(value: TypedValue): void {
    this.count++;
    if (this.measure === 'distinct') this.addKey(valueKey(value));
    else if (typeof value === 'bigint') this.addNumber(value);
  }

  addPart(part: Part): void {
    if (typeof part === 'number') this.count += part;
    else if (typeof part === 'bigint') {
      this.count++;
      this.addNumber(part);
    } else for (const key of part) this.addKey(key);
  }

  /** To store; null when nothing was added. */
  part(): Part | null {
    switch (this.measure) {
      case 'count':
        return this.count === 0 ? null : this.count;
      case 'distinct':
        return this.keys === null ? null : [...this.keys].sort().slice(0, this.keep);
      default:
        return this.total;
    }
  }

  /**
   * As billionths: 0 for a count, sum or number of different values of nothing; null for the least or greatest of nothing.
   */
  value(): bigint | null {
    switch (this.measure) {
      case 'count':
        return countToBillionths(this.count);
      case 'distinct':
        return countToBillionths(this.keys?.size ?? 0);
      case 'sum':
        return this.total ?? 0n;
      default:
        return this.total;
    }
  }

  private addNumber(value: bigint): void {
    this.total = this.total === null ? value : mergedNumber(this.measure, this.total, value);
  }

  private addKey(key: string): void {
    (this.keys ??= new Set()).add(key);
  }
}

/** Two numbers as one: their sum, or the least or greatest of them. */
export function mergedNumber(measure: Measure, a: bigint, b: bigint): bigint {
  if (measure === 'sum') return a + b;
  return (measure === 'min' ? b < a : b > a) ? b : a;
}

/** Both parts as one, with the keys of both. */
export function mergedPart(measure: Measure, a: Part, b: Part): Part {
  if (typeof a === 'number' && typeof b === 'number') return a + b;
  if (typeof a === 'bigint' && typeof b === 'bigint') return mergedNumber(measure, a, b);
  const tally = new Tally(measure, Infinity);
  tally.addPart(a);
  tally.addPart(b);
  return tally.part() ?? a;
}

/** A part with one more event; undefined while nothing has a value. */
export function addToPart(
  { measure, exactTo }: { readonly measure: Measure; readonly exactTo: number },
  part: Part | undefined,
  value: TypedValue,
): Part | undefined {
  if (measure === 'count') return typeof part === 'number' ? part + 1 : 1;
  if (measure === 'distinct') return withKey(part as readonly string[] | undefined, valueKey(value), exactTo);
  if (typeof value !== 'bigint' || typeof part !== 'bigint') return typeof value === 'bigint' ? value : part;
  return mergedNumber(measure, part, value);
}

/** Sorted keys with one more, of which only the `keep` smallest are kept. */
function withKey(keys: readonly string[] = [], key: string, keep: number): readonly string[] {
  let at = keys.length;
  while (at > 0 && keys[at - 1] > key) at--;
  if (at >= keep || keys[at - 1] === key) return keys;
  return [...keys.slice(0, at), key, ...keys.slice(at, keep - 1)];
}

/** A short text that is the same for equal values: long ones are replaced by a digest. */
function valueKey(value: TypedValue): string {
  const text = typeof value === 'bigint' ? formatDecimal(value) : String(value);
  return text.length <= 12 ? text : `#${createHash('sha256').update(text).digest('base64').slice(0, 12)}`;
}
