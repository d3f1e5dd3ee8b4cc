import { TypedValue } from '@podium/messages';
import { HistoryEvent } from '../evaluation/history';
import { LateGroup, seenParts } from '../evaluation/late-group';
import { Part, addToPart, mergedPart } from '../evaluation/tally';
import { TermBuckets } from '../evaluation/term-buckets';
import { Term, bucketOf } from '../evaluation/terms';

/** The merged parts of a term by bucket, to be changed. */
export type Buckets = Map<number, Part> | TermBuckets;

/** Adds those of the events that count to the buckets of a term. */
export function addToBuckets(term: Term, buckets: Buckets, events: readonly HistoryEvent[]): void {
  for (const event of events) {
    const value = term.valueOf(event);
    if (value !== null) addValue(term, buckets, event, value);
  }
}

/** Adds the value that an event has for a term to its bucket. */
export function addValue(term: Term, buckets: Buckets, event: HistoryEvent, value: TypedValue): void {
  const bucket = bucketOf(term.scope, event);
  const part = addToPart(term, buckets.get(bucket), value);
  if (part !== undefined) buckets.set(bucket, part);
}

/** Adds a part of a term to its bucket. */
export function addPart({ measure, exactTo }: Term, buckets: Buckets, bucket: number, part: Part): void {
  const known = buckets.get(bucket);
  const merged = known === undefined ? part : mergedPart(measure, known, part);
  buckets.set(bucket, typeof merged === 'object' ? merged.slice(0, exactTo) : merged);
}

/** Adds what a term counts of groups of late events. */
export function addGroups(term: Term, buckets: Buckets, groups: readonly LateGroup[]): void {
  for (const { bucket, part } of seenParts(groups, term.id)) addPart(term, buckets, bucket, part);
}
