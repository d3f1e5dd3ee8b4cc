import { TypedValue } from '@podium/messages';
import { createHash } from 'node:crypto';
import { AddedCurrencies } from './added-currencies';
import { addPeriods, startOf, startOfHour } from './calendar';
import { EventTest } from './event-filter';
import { HistoryEvent } from './history';
import { Measure } from './tally';

/**
 * Which events a term keeps apart, by `created_at`, once single events are gone: one total (`from` inclusive, `to` exclusive,
 * null is unbounded); one per link, with `byDay` per link and UTC day; or one per day of a zone or UTC hour, of which only the
 * newest `keep` buckets are kept. Terms are named by a digest of their scope: what a scope does not have is left out of it.
 */
export type Scope =
  | { readonly kind: 'total'; readonly from: number | null; readonly to: number | null }
  | { readonly kind: 'link'; readonly part: 'all'; readonly byDay?: true }
  /** Events of before `start` or of before their link (`base`), and the others (`inside`). */
  | { readonly kind: 'link'; readonly part: 'base' | 'inside'; readonly start: number; readonly byDay?: true }
  | {
      readonly kind: 'day';
      readonly zone: string;
      readonly from: number | null;
      readonly keep: number | null;
      /** Exclusive. */
      readonly to?: number;
    }
  | { readonly kind: 'hour'; readonly from: number | null; readonly keep: number };

const dayS = 86_400;

/** More than the days until the year 2300, so that link and day are one exact number. */
const daysOfLink = 131_072;

/** A value that definitions compare. Definitions with the same term share its state. */
export interface Term {
  /** Digest of all that the value depends on. */
  readonly id: string;
  readonly event: string;
  readonly measure: Measure;
  readonly scope: Scope;
  /** Of `distinct`: how many different values are counted exactly in each bucket. */
  readonly exactTo: number;
  /** The value that an event adds; null when it does not count. */
  valueOf(event: HistoryEvent): TypedValue | null;
  /** Of converted money: whether an event that it counts is left out of the comparison, because there is no rate for it. */
  isLeftOut?(event: HistoryEvent): boolean;
}

/** The parts of a term on which its id depends, next to its event. */
export interface TermParts {
  readonly event: string;
  readonly where: unknown;
  readonly measure: Measure;
  readonly attribute?: string;
  readonly currency?: string;
  readonly scope: Scope;
  readonly exactTo?: number;
  readonly currencies?: AddedCurrencies;
}

/** Makes a term: `passes` tests an event, `read` gives the value (of a count anything that is not null). */
export function makeTerm(parts: TermParts, passes: EventTest, read: (event: HistoryEvent) => TypedValue | null): Term {
  const { event, measure, scope, exactTo = 0 } = parts;
  const inScope = scopeTest(scope);
  return {
    id: createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 12),
    event,
    measure,
    scope,
    exactTo,
    valueOf: (given) => (inScope(given) && passes(given) ? read(given) : null),
  };
}

/**
 * The bucket of an event: 0 for a total, the link's `linked_at` (by day with the number of the day, see `linkDayOf`), or the
 * start of the day or hour.
 */
export function bucketOf(scope: Scope, event: HistoryEvent): number {
  switch (scope.kind) {
    case 'total':
      return 0;
    case 'link':
      return scope.byDay ? event.linkedAt * daysOfLink + Math.floor(event.createdAt / dayS) : event.linkedAt;
    case 'day':
      return startOf('day', event.createdAt, scope.zone);
    case 'hour':
      return startOfHour(event.createdAt);
  }
}

/** The link and the start of the UTC day of a bucket of a link by day. */
export function linkDayOf(bucket: number): { readonly linkedAt: number; readonly dayS: number } {
  return { linkedAt: Math.floor(bucket / daysOfLink), dayS: (bucket % daysOfLink) * dayS };
}

/** Buckets that begin before this second can be dropped once all instants before `atS` are final; null keeps all. */
export function keptFrom(scope: Scope, atS: number): number | null {
  if (scope.kind === 'day') return scope.keep === null ? null : addPeriods('day', atS, -scope.keep, scope.zone);
  return scope.kind === 'hour' ? startOfHour(atS) - scope.keep * 3_600 : null;
}

function scopeTest(scope: Scope): EventTest {
  switch (scope.kind) {
    case 'link': {
      if (scope.part === 'all') return () => true;
      const { part, start } = scope;
      return ({ createdAt, linkedAt }) => (createdAt >= start && createdAt >= linkedAt) === (part === 'inside');
    }
    case 'total':
    case 'day': {
      const { from, to = null } = scope;
      return ({ createdAt }) => (from === null || createdAt >= from) && (to === null || createdAt < to);
    }
    case 'hour': {
      const { from } = scope;
      return from === null ? () => true : ({ createdAt }) => createdAt >= from;
    }
  }
}
