import { createHash } from 'node:crypto';
import { Sequence } from '../evaluation/condition-node';
import { Term } from '../evaluation/terms';
import { EventIndex } from './event-index';
import { IndexedLive, LiveDefinition, conditionsOf, termsOf } from './live-definition';

/** What is kept of a platform's events of one name. */
export interface KeptState {
  /** The same for the same terms and sequences. */
  readonly key: string;
  readonly terms: readonly Term[];
  readonly sequences: readonly Sequence[];
  /** Terms of which the buckets of all events are kept too, merged. */
  readonly running: readonly Term[];
  /**
   * Definitions that are left out may need more: events are only kept singly, and nothing that is kept is merged, or removed but
   * the running buckets, which are computed again.
   */
  readonly isPartial: boolean;
}

/** What definitions make of a platform's events of one name. */
export interface EventParts {
  /** All that name the event. */
  readonly indexed: readonly IndexedLive[];
  readonly index: EventIndex<LiveDefinition>;
  readonly kept: KeptState;
  /** The kept terms that leave out amounts without a rate. */
  readonly converting: readonly Term[];
}

/** What is kept of events that no definition names. */
export function nothingKept(isPartial: boolean): KeptState {
  return { key: '', terms: [], sequences: [], running: [], isPartial };
}

/** Makes the parts of a name, or takes those of before where the definitions are the same. */
export function eventParts(
  name: string,
  indexed: readonly IndexedLive[],
  isPartial: boolean,
  before: EventParts | undefined,
): EventParts {
  if (before !== undefined && isSame(before.indexed, indexed))
    return before.kept.isPartial === isPartial ? before : { ...before, kept: { ...before.kept, isPartial } };
  const index = new EventIndex(name, indexed);
  const kept = keptState(name, indexed, { running: index.terms, isPartial });
  return { indexed, index, kept, converting: kept.terms.filter(({ isLeftOut }) => isLeftOut) };
}

function isSame(before: readonly IndexedLive[], now: readonly IndexedLive[]): boolean {
  return before.length === now.length && before.every((each, at) => each === now[at]);
}

function keptState(
  name: string,
  indexed: readonly IndexedLive[],
  more: Pick<KeptState, 'running' | 'isPartial'>,
): KeptState {
  const terms = new Map<string, Term>();
  const sequences = new Map<string, Sequence>();
  for (const { definition } of indexed) {
    for (const term of termsOf(definition)) if (term.event === name) terms.set(term.id, term);
    for (const sequence of conditionsOf(definition).flatMap((condition) => condition.sequences))
      if (sequence.names.includes(name)) sequences.set(sequence.key, sequence);
  }
  const ids = [...terms.keys(), ...sequences.keys()];
  const key = ids.length === 0 ? '' : digestOf(ids.sort());
  return { key, terms: [...terms.values()], sequences: [...sequences.values()], ...more };
}

function digestOf(ids: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(ids)).digest('base64url').slice(0, 6);
}
