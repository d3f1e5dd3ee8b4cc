import { addToList } from '../evaluation/add-to-list';
import { EventTest } from '../evaluation/event-filter';
import { SensitivityList } from '../evaluation/sensitivity';
import { Term } from '../evaluation/terms';
import { WindowedValue } from '../evaluation/windowed-value';
import { DefinitionSensitivity, ShownValue, WatchedSteps } from './definition-sensitivity';

/** A definition and what it is sensitive to; null: to every event that it names. */
export interface IndexedDefinition<D> {
  readonly definition: D;
  readonly sensitivity: DefinitionSensitivity | null;
}

/** The lowest value without events and the highest with them, at the instants that they change; null: of nothing. */
export interface ValueSpan {
  readonly low: bigint | null;
  readonly high: bigint | null;
}

/** All definitions that depend on one part of a definition: that definition and, of a segment, those that refer to it. */
type Dependents<D> = readonly D[];

/** The definitions that compare a value, by threshold. */
interface Thresholds<D> {
  /** Ascending. */
  readonly bounds: readonly bigint[];
  readonly dependents: readonly (readonly Dependents<D>[])[];
}

/** A term with the values that are watched of it. */
interface WatchedTerm<D> {
  readonly term: Term;
  readonly values: readonly { readonly value: WindowedValue; readonly thresholds: Thresholds<D> | undefined }[];
}

interface Steps<D> {
  readonly steps: WatchedSteps;
  readonly definitions: readonly D[];
}

/** The tasks that show a value as progress. */
interface ShownBy<D> {
  readonly values: readonly WindowedValue[];
  readonly tasks: readonly { readonly definition: D; readonly untilS: number }[];
}

/** Finds the definitions that new events of one name can change, by what the events change. */
export class EventIndex<D> {
  /** All that name the event. */
  readonly all: readonly D[];
  /** Whose every event is evaluated. */
  readonly always: readonly D[];
  readonly latest: readonly { readonly passes: EventTest; readonly dependents: Dependents<D> }[];
  readonly passing: readonly { readonly passes: EventTest; readonly dependents: Dependents<D> }[];
  readonly steps: readonly Steps<D>[];
  readonly shown: readonly ShownBy<D>[];
  /** The values of which thresholds or steps are watched, by term. */
  readonly values: ReadonlyMap<Term, readonly WindowedValue[]>;
  /** The same with their thresholds, for every event. */
  readonly watched: readonly WatchedTerm<D>[];
  /** The terms whose running buckets are needed. */
  readonly terms: readonly Term[];
  private readonly thresholds: ReadonlyMap<string, Thresholds<D>>;
  /** The last one first. */
  private readonly settledFrom: readonly { readonly atS: number; readonly definition: D }[];

  constructor(name: string, indexed: readonly IndexedDefinition<D>[]) {
    this.all = indexed.map(({ definition }) => definition);
    this.always = indexed.filter(({ sensitivity }) => sensitivity === null).map(({ definition }) => definition);
    const sensitive = indexed.flatMap(({ definition, sensitivity }) =>
      sensitivity === null ? [] : [{ definition, ...sensitivity }],
    );
    this.settledFrom = sensitive
      .map(({ definition, settledFrom }) => ({ definition, atS: settledFrom }))
      .sort((a, b) => b.atS - a.atS);
    const byList = new Map<SensitivityList, D[]>();
    for (const { definition, sensitivities } of sensitive)
      for (const list of sensitivities) addToList(byList, list, definition);
    const each = [...byList].flatMap(([list, dependents]) =>
      list.all.map((sensitivity) => ({ dependents, sensitivity })),
    );
    this.latest = each.flatMap(({ dependents, sensitivity }) =>
      sensitivity.kind === 'latest' && sensitivity.event === name ? [{ dependents, passes: sensitivity.passes }] : [],
    );
    this.passing = each.flatMap(({ dependents, sensitivity }) =>
      sensitivity.kind === 'event' && sensitivity.names.has(name) ? [{ dependents, passes: sensitivity.passes }] : [],
    );
    const steps = new Map<string, { steps: WatchedSteps; definitions: D[] }>();
    for (const { definition, steps: own } of sensitive)
      for (const one of own)
        if (one.watched.inside.term.event === name) {
          const known = steps.get(one.key) ?? { steps: one, definitions: [] };
          known.definitions.push(definition);
          steps.set(one.key, known);
        }
    this.steps = [...steps.values()];
    this.shown = shownBy(
      sensitive.flatMap(({ definition, shown }) =>
        shown?.values.some(({ term }) => term.event === name) ? [{ definition, shown }] : [],
      ),
    );
    const thresholds = new Map<string, { value: WindowedValue; at: Map<bigint, Dependents<D>[]> }>();
    for (const { dependents, sensitivity } of each) {
      if (sensitivity.kind !== 'threshold' || sensitivity.value.term.event !== name) continue;
      const { value, threshold } = sensitivity;
      const known = thresholds.get(value.key) ?? { value, at: new Map<bigint, Dependents<D>[]>() };
      thresholds.set(value.key, known);
      addToList(known.at, threshold, dependents);
    }
    this.thresholds = new Map([...thresholds].map(([key, { at }]) => [key, sorted(at)]));
    this.values = this.valuesByTerm([...thresholds.values()].map(({ value }) => value));
    this.watched = [...this.values].map(([term, values]) => ({
      term,
      values: values.map((value) => ({ value, thresholds: this.thresholds.get(value.key) })),
    }));
    this.terms = [...this.values.keys()];
  }

  /** Definitions for which some version has not come into force yet, or some segment has not ended that is to end. */
  unsettled(nowS: number): D[] {
    const unsettled: D[] = [];
    for (const { atS, definition } of this.settledFrom) {
      if (nowS >= atS) break;
      unsettled.push(definition);
    }
    return unsettled;
  }

  /** Adds definitions one of whose thresholds lies above the low end of a span and not above its high end. */
  addCrossed({ key }: WindowedValue, span: ValueSpan, changed: Set<D>): void {
    addCrossed(this.thresholds.get(key), span, changed);
  }

  private valuesByTerm(watched: readonly WindowedValue[]): Map<Term, WindowedValue[]> {
    const all = [...watched, ...this.steps.flatMap(({ steps }) => [steps.watched.base, steps.watched.inside])];
    const distinct = new Map(all.map((value) => [value.key, value]));
    const terms = new Map<string, Term>();
    const byTerm = new Map<Term, WindowedValue[]>();
    for (const value of distinct.values()) {
      const term = terms.get(value.term.id) ?? value.term;
      terms.set(term.id, term);
      byTerm.set(term, [...(byTerm.get(term) ?? []), value]);
    }
    return byTerm;
  }
}

/** See `EventIndex.addCrossed`. */
export function addCrossed<D>(thresholds: Thresholds<D> | undefined, { low, high }: ValueSpan, changed: Set<D>): void {
  if (!thresholds || high === null) return;
  const { bounds, dependents } = thresholds;
  for (let at = firstAbove(bounds, low); at < bounds.length && bounds[at] <= high; at++)
    for (const each of dependents[at]) addAll(each, changed);
}

/** Adds definitions to a set. */
export function addAll<D>(definitions: readonly D[], to: Set<D>): void {
  for (const definition of definitions) to.add(definition);
}

function shownBy<D>(all: readonly { readonly definition: D; readonly shown: ShownValue }[]): ShownBy<D>[] {
  const byValues = new Map<string, ShownBy<D> & { readonly tasks: { definition: D; untilS: number }[] }>();
  for (const { definition, shown } of all) {
    const { values, untilS } = shown;
    const key = values.map((value) => value.key).join(' + ');
    const known = byValues.get(key) ?? { values, tasks: [] };
    byValues.set(key, known);
    known.tasks.push({ definition, untilS });
  }
  return [...byValues.values()];
}

function sorted<D>(at: ReadonlyMap<bigint, readonly Dependents<D>[]>): Thresholds<D> {
  const entries = [...at].sort(([a], [b]) => (a < b ? -1 : 1));
  return { bounds: entries.map(([bound]) => bound), dependents: entries.map(([, dependents]) => dependents) };
}

/** The index of the first bound above a value; of nothing, the first. */
function firstAbove(bounds: readonly bigint[], value: bigint | null): number {
  if (value === null) return 0;
  let [from, to] = [0, bounds.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (bounds[middle] > value) to = middle;
    else from = middle + 1;
  }
  return from;
}
