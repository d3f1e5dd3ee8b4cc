import fc from 'fast-check';
import { linksKnownBy, setOf } from '../../test/evaluated-world';
import { World } from '../../test/oracle';
import { hourWorld } from '../../test/oracle/generate-hour-worlds';
import { world } from '../../test/oracle/generate-world';
import { propertyOptions } from '../../test/property-options';
import { withNextEffect } from '../applying/due-again';
import { evaluateSegment } from '../evaluation/evaluate-segment';
import { evaluateTask } from '../evaluation/evaluate-task';
import { compareEvents } from '../evaluation/event-order';
import { HistoryEvent } from '../evaluation/history';
import { UserView } from '../evaluation/user-history';
import { LiveDefinition } from '../progress/definition-set';
import { continuedTask } from '../shown-progress/running-progress';
import { ShownProgress, progressOf, seriesAt } from '../shown-progress/shown-progress';
import { mergeLate } from './bounded-history';
import { allEvents } from './change-history';
import { addAndFindChanges } from './changed-definitions';
import { packHistory, unpackHistory } from './history-codec';
import { StoredHistory } from './stored-history';

/** Counts of all runs, so that the specs fail when nothing is ever skipped, or everything is. */
const totals = { evaluated: 0, skipped: 0, continued: 0, groups: 0, sooner: 0 };

beforeEach(() => {
  for (const each of Object.keys(totals)) totals[each as keyof typeof totals] = 0;
});

describe('the definitions that new events can change', () => {
  it('are all of which something changes: the others owe and show the same, have the same members and are due no earlier', () => {
    fc.assert(fc.property(arrivals(world(), [0, 0, 0, 60, 86_400, 3 * 86_400], [0]), arrive), propertyOptions(500));
    expect(totals.evaluated).toBeGreaterThan(1000);
    expect(totals.skipped).toBeGreaterThan(1000);
    expect(totals.continued).toBeGreaterThan(10);
    expect(totals.groups).toBeGreaterThan(30);
  });

  it('are all of them, too, before something takes effect that was known ahead: an event, a link, a version, the end of a segment', () => {
    fc.assert(fc.property(arrivals(hourWorld(), [0, 0, 0, 60], [0, 60, 300]), arrive), propertyOptions(700));
    expect(totals.evaluated).toBeGreaterThan(1000);
    expect(totals.skipped).toBeGreaterThan(1000);
    expect(totals.sooner).toBeGreaterThan(50);
  });
});

/** A world and how its events arrive. */
interface Arrivals {
  readonly made: World;
  readonly delaysS: readonly number[];
  readonly sizes: readonly number[];
  /** So many late events of a name are left single; one at least, as in the service. */
  readonly left: number;
  /** How long before they begin or end links are known, seconds. */
  readonly linksAheadS: number;
}

function arrivals(
  worlds: fc.Arbitrary<World>,
  delaysS: readonly number[],
  linksAheadS: readonly number[],
): fc.Arbitrary<Arrivals> {
  return fc.record({
    made: worlds,
    delaysS: fc.array(fc.constantFrom(...delaysS), { minLength: 1, maxLength: 5 }),
    sizes: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 3 }),
    left: fc.constantFrom(1, 2, Infinity),
    linksAheadS: fc.constantFrom(...linksAheadS),
  });
}

function arrive({ made, delaysS, sizes, left, linksAheadS }: Arrivals): void {
  const arriving = made.events
    .map((event, index) => {
      const receivedS = event.receivedAt + delaysS[index % delaysS.length];
      // No event is accepted before its link exists.
      return { event, atS: Math.max(receivedS, event.linkedAt) };
    })
    .sort((a, b) => a.atS - b.atS);
  const histories = new Map<string, StoredHistory>();
  for (let at = 0, turn = 0; at < arriving.length; turn++) {
    const batch = arriving.slice(at, at + sizes[turn % sizes.length]);
    at += batch.length;
    const nowS = batch[batch.length - 1].atS;
    if (left < Infinity) mergeAllLate(made, histories, left);
    compare(
      made,
      histories,
      batch.map(({ event }) => event),
      { nowS, linksToS: nowS + linksAheadS },
    );
  }
}

function mergeAllLate(made: World, histories: ReadonlyMap<string, StoredHistory>, left: number): void {
  const { platform } = made.definitions[0];
  for (const [name, history] of histories) {
    const known = history.lateGroups.length;
    mergeLate(history, left, setOf(made).keptState(platform, name), (each) => allEvents(histories.get(each)));
    totals.groups += history.lateGroups.length - known;
  }
}

/** Now, and until when beginnings and ends of links are known, Unix seconds. */
interface Clock {
  readonly nowS: number;
  readonly linksToS: number;
}

function compare(
  made: World,
  histories: Map<string, StoredHistory>,
  events: readonly HistoryEvent[],
  clock: Clock,
): void {
  const { nowS, linksToS } = clock;
  const set = setOf(made);
  const { platform } = made.definitions[0];
  const before = resultsOf(made, histories, clock);
  const changed = new Set<LiveDefinition>();
  const shown = new Map<string, bigint>();
  for (const name of new Set(events.map((event) => event.name))) {
    const packed = histories.get(name);
    // Through the packed form, as between two batches.
    const history = packed ? unpackHistory(name, packHistory(packed)) : new StoredHistory();
    histories.set(name, history);
    const ofName = events.filter((event) => event.name === name).sort(compareEvents);
    const to = {
      ...{ history, kept: set.keptState(platform, name), index: set.forEvent(platform, name), nowS },
      isLinkKnown: (linkedAt: number) => made.links.some((link) => link.linkedAt === linkedAt && linkedAt <= linksToS),
    };
    const found = addAndFindChanges(ofName, to);
    for (const definition of found.changed) changed.add(definition);
    for (const [task, sum] of found.shown) shown.set(task.definitionId, sum);
  }
  const after = resultsOf(made, histories, clock);
  for (const definition of set.byId.values()) {
    if (!events.some((event) => definition.names.has(event.name))) continue;
    if (changed.has(definition)) {
      totals.evaluated++;
      continue;
    }
    totals.skipped++;
    const [old, now] = [before.get(definition.definitionId)!, after.get(definition.definitionId)!];
    const sum = shown.get(definition.definitionId);
    if (sum !== undefined) totals.continued++;
    const expected = sum === undefined ? old.result : continuedResult(definition, old.result, { sum, nowS });
    expect({ id: definition.definitionId, ...now.result }).toEqual({ id: definition.definitionId, ...expected });
    if (old.evaluatedAt < old.dueAt) totals.sooner++;
    expect(now.dueAt).toBeGreaterThanOrEqual(old.evaluatedAt);
  }
}

/** What goes on from the result before, if the task is evaluated no more. */
function continuedResult(
  task: LiveDefinition,
  { owed, shown: before }: { owed?: object; shown?: ShownProgress },
  { sum, nowS }: { sum: bigint; nowS: number },
): object {
  if (task.kind !== 'task' || !before) throw new Error('only tasks show progress');
  const shown = seriesAt(task, nowS);
  const { series: _series, ...now } = continuedTask({ sum, shown, before: { ...before, series: shown.series } });
  return { owed, shown: now };
}

interface Result {
  readonly result: { readonly owed?: object; readonly shown?: ShownProgress };
  /** When it changes next without an event, and when it is evaluated again at the latest. */
  readonly dueAt: number;
  readonly evaluatedAt: number;
}

function resultsOf(
  made: World,
  histories: ReadonlyMap<string, StoredHistory>,
  { nowS, linksToS }: Clock,
): Map<string, Result> {
  const view = new UserView(histories, linksKnownBy(made, linksToS));
  const resultOf = (definition: LiveDefinition, result: Result['result'], dueAt: number | null): Result => ({
    ...{ result, dueAt: dueAt ?? Infinity },
    evaluatedAt: withNextEffect(dueAt, definition, view, nowS) ?? Infinity,
  });
  return new Map(
    [...setOf(made).byId.values()].map((definition): [string, Result] => {
      const { definitionId, names } = definition;
      if (definition.kind === 'segment') {
        const { member, version, dueAt } = evaluateSegment(definition, view, names, nowS);
        return [definitionId, resultOf(definition, { owed: { member, version } }, dueAt)];
      }
      const { owed, dueAt } = evaluateTask(definition, view, names, { fromS: 0, nowS });
      const owedOf = owed.map(({ evidence: _evidence, ...each }) => each);
      const shown = progressOf(definition, seriesAt(definition, nowS), view, owed);
      return [definitionId, resultOf(definition, { owed: owedOf, shown }, dueAt)];
    }),
  );
}
