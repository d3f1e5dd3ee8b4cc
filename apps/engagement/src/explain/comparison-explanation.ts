import { Condition } from '../evaluation/condition';
import { HistoryEvent } from '../evaluation/history';
import { Moment } from '../evaluation/moment';
import { NotCountedEvent } from './event-explanation';

/** What of a user is explained, and when. */
export interface ExplainedMoment extends Moment {
  /** Events of the store by name: they show what the parts of a history were merged from. */
  readonly stored: ReadonlyMap<string, readonly HistoryEvent[]>;
  /** Unix seconds: events received from then on do not count. */
  readonly closesAt: number;
}

/** An event that counts, with the text that the comparison reads of it. */
export interface CountedEventExplanation {
  readonly event: HistoryEvent;
  readonly text: string | null;
}

/** Events that are kept as one value. */
export interface BucketExplanation {
  /** Unix seconds at which the day or hour, or the link, begins; null for one total. */
  readonly startsAt: number | null;
  readonly value: string;
  /** How many of its events are stored. */
  readonly stored: number;
}

/** One comparison of a condition at an instant. */
export interface ComparisonExplanation {
  /** Of the condition, for example `goal.all[1]`. */
  readonly path: string;
  readonly condition: Condition;
  /** Null where there is nothing to compare, as the least value of nothing. */
  readonly value: string | null;
  readonly target: string | null;
  readonly holds: boolean;
  /** Unix seconds at which the window begins; null when it has no beginning, or for conditions without one. */
  readonly windowFrom: number | null;
  /** Newest first, at most `maxListed`. */
  readonly counted: readonly CountedEventExplanation[];
  readonly countedTotal: number;
  /** Newest first, at most `maxListed`. */
  readonly notCounted: readonly NotCountedEvent[];
  readonly notCountedTotal: number;
  /** Newest first, at most `maxListed`. */
  readonly buckets: readonly BucketExplanation[];
  /** Events that count and are no longer stored; null where their number is not known. */
  readonly notStored: number | null;
}

/** A condition at an instant. */
export interface ConditionExplanation {
  readonly holds: boolean;
  readonly comparisons: readonly ComparisonExplanation[];
}

/** The most events, and the most buckets, that a comparison lists. */
export const maxListed = 100;
