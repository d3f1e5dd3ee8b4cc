import { CompiledSegment } from '../evaluation/compiled-segment';
import { CompiledSteps } from '../evaluation/compile-repeat';
import { CompiledTask, CompiledTaskVersion, shownVersionAt } from '../evaluation/compiled-task';
import { isComparedGoal } from '../evaluation/compared-goal';
import { seenAt } from '../evaluation/user-history';
import { Term } from '../evaluation/terms';
import { Dependency } from '../evaluation/segment-dependencies';
import { Sensitivity, SensitivityList, sensitivityList } from '../evaluation/sensitivity';
import { WindowedValue } from '../evaluation/windowed-value';
import { periodKey } from '../evaluation/windows';

/** Steps whose values events only raise. */
export type WatchedSteps = CompiledSteps & { readonly watched: NonNullable<CompiledSteps['watched']> };

/** What a task shows as progress of a user, while events reach nothing. */
export interface ShownValue {
  /** Their sum is shown. */
  readonly values: readonly WindowedValue[];
  /** Unix seconds until which the sum of now is shown: the end of the version that is shown last. */
  readonly untilS: number;
}

/**
 * Which events can change what a definition owes or who is a member. An event that changes none of these at any instant from
 * that on which it is seen changes neither, and brings the next due time no closer, so that it is not evaluated.
 */
export interface DefinitionSensitivity {
  /** Of its own, and of the segments on which it depends. */
  readonly sensitivities: readonly SensitivityList[];
  /** Of tasks that pay `every`. */
  readonly steps: readonly WatchedSteps[];
  /** Null: nothing is shown, or each event that may change it is among the sensitivities. */
  readonly shown: ShownValue | null;
  /**
   * Unix seconds: until all versions are in force, and segments have ended that are to end, every event that the definition names is
   * evaluated.
   */
  readonly settledFrom: number;
}

/**
 * The sensitivity of a definition with the segments on which it depends, once all are compiled; null: every event that it names is evaluated.
 *
 * Time only lowers a value whose window moves, and an event only raises it, so that it falls later than without the event. As
 * long as the definition only gains (or only loses) by such values, its next change without an event comes no earlier than
 * without the event: the due time that is stored stays a lower bound.
 */
export function sensitivityOf(definition: CompiledSegment | CompiledTask): DefinitionSensitivity | null {
  if (definition.kind === 'segment') {
    const dependencies = definition.dependencies();
    const sensitivities = [definition.ownSensitivities(1), ...listsOf(dependencies)];
    if (isMixed(sensitivities)) return null;
    const settledFrom = latestOf([definition.settledFrom, ...dependencies.map(({ segment }) => segment.settledFrom)]);
    return { sensitivities, steps: [], shown: null, settledFrom };
  }
  const { versions } = definition;
  const listsBy = new Map(
    [...new Set(versions.map((version) => version.dependencies()))].map((each) => [each, listsOf(each)]),
  );
  const parts = versions.map((version) => ofVersion(version, listsBy.get(version.dependencies()) ?? []));
  const ofRewards = definition.versions.flatMap(({ reward }) => reward.terms.map(toEventsOf));
  // Once all versions are in force.
  const last = shownVersionAt(definition, Infinity);
  const shown = shownValueOf(last);
  const ofProgress = shown === null ? toShownEvents(last) : [];
  const own = [...parts.flatMap((part) => part?.own ?? []), ...ofRewards, ...ofProgress];
  if (parts.includes(null)) return null;
  return {
    sensitivities: [...new Set([sensitivityList(own), ...[...listsBy.values()].flat()])],
    steps: parts.flatMap((part) => part?.steps ?? []),
    shown,
    settledFrom: latestOf([
      ...versions.map(({ firstS }) => firstS),
      ...definition.definition.versions.slice(1).map(({ inForceFrom }) => inForceFrom),
      ...[...listsBy.keys()].flat().map(({ segment }) => segment.settledFrom),
    ]),
  };
}

/** Whether time alone lowers a value that a definition compares, and not each of its events is evaluated. */
export function fallsWithTime(sensitivity: DefinitionSensitivity | null): boolean {
  return sensitivity?.sensitivities.some(({ lostBy, gainedBy }) => lostBy.length + gainedBy.length > 0) ?? false;
}

/** The lists of segments, each once. */
function listsOf(dependencies: readonly Dependency[]): SensitivityList[] {
  return dependencies.flatMap(({ segment, polarities }) =>
    [...polarities].map((polarity) => segment.ownSensitivities(polarity)),
  );
}

/** As `Math.max`, of any number of seconds. */
function latestOf(seconds: readonly number[]): number {
  return seconds.reduce((latest, atS) => Math.max(latest, atS), -Infinity);
}

/** What a version adds of its own; null: every event is evaluated. `ofSegments` are the lists of those on which it depends. */
function ofVersion(
  { goal, repeat, body }: CompiledTaskVersion,
  ofSegments: readonly SensitivityList[],
): { readonly own: readonly Sensitivity[]; readonly steps: readonly WatchedSteps[] } | null {
  // Time passes no step: only at an event's own second something is reached.
  if (repeat.kind === 'every') return isWatched(repeat) ? { own: [], steps: [repeat] } : null;
  const own = goal.sensitivities(1);
  const lists = [sensitivityList(own), ...ofSegments];
  if (isMixed(lists)) return null;
  // What still holds when a period begins is paid then, unless it begins with an empty window.
  const isEmptyAtStart = ({ key, term }: { key: string; term: Term }): boolean =>
    'per' in body.repeat &&
    term.scope.kind === 'day' &&
    term.scope.zone === body.zone &&
    key.endsWith(` ${periodKey(body.repeat.per)}`);
  const mayBePaidByTime = lists.some(({ lostBy }) => lostBy.some((value) => !isEmptyAtStart(value)));
  return repeat.kind === 'per' && mayBePaidByTime ? null : { own, steps: [] };
}

/** Not of one link: which is in force is known to the evaluation alone. */
function shownValueOf({ body, goal, repeat, lastS: untilS }: CompiledTaskVersion): ShownValue | null {
  if (!isComparedGoal(body.goal)) return null;
  const watched =
    repeat.kind === 'every'
      ? [repeat.watched?.base, repeat.watched?.inside]
      : goal.sensitivities(1).map((each) => (each.kind === 'threshold' ? each.value : undefined));
  const values = watched.filter((value) => value !== undefined);
  const isKnown = values.length === watched.length && values.every(({ term }) => term.scope.kind !== 'link');
  return isKnown ? { values, untilS } : null;
}

/** An event changes the progress that is shown until the version has ended, also far from the target. */
function toShownEvents({ body, goal, lastS }: CompiledTaskVersion): Sensitivity[] {
  if (!isComparedGoal(body.goal)) return [];
  return goal.terms.map(({ event: name, valueOf }) => ({
    kind: 'event',
    names: new Set([name]),
    passes: (event) => valueOf(event) !== null && seenAt(event) < lastS,
  }));
}

/** An event changes the amounts of which it is a part, also of what another event has reached. */
function toEventsOf(term: Term): Sensitivity {
  return { kind: 'event', names: new Set([term.event]), passes: (event) => term.valueOf(event) !== null };
}

/** Whether time alone can make the definition lose and gain. */
function isMixed(lists: readonly SensitivityList[]): boolean {
  return lists.some(({ lostBy }) => lostBy.length > 0) && lists.some(({ gainedBy }) => gainedBy.length > 0);
}

function isWatched(steps: CompiledSteps): steps is WatchedSteps {
  return steps.watched !== null;
}
