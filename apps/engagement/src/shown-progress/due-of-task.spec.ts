import fc from 'fast-check';
import { setOf, viewOf } from '../../test/evaluated-world';
import { World } from '../../test/oracle';
import { world } from '../../test/oracle/generate-world';
import { propertyOptions } from '../../test/property-options';
import { isComparedGoal } from '../evaluation/compared-goal';
import { shownVersionAt } from '../evaluation/compiled-task';
import { evaluateTask } from '../evaluation/evaluate-task';
import { UserView } from '../evaluation/user-history';
import { dueOfTask } from './due-of-task';
import { LiveTask } from '../progress/definition-set';
import { progressOf, seriesAt } from './shown-progress';
import { ToldTask, isInitial } from './told-progress';

/** Counts of all runs, so that the spec fails when it compares nothing. */
const totals = { dues: 0, counted: 0, versions: 0 };

describe('the due times of a task', () => {
  it('lie ahead, and pass neither an event or link that begins to count nor a version with another target', () => {
    fc.assert(fc.property(world(), walk), propertyOptions(300));
    expect(totals.dues).toBeGreaterThan(300);
    expect(totals.counted).toBeGreaterThan(300);
    expect(totals.versions).toBeGreaterThan(3);
  });
});

/** Follows the due times of all tasks; what happens is known from the beginning on, ahead of the clock. */
function walk(made: World): void {
  const view = viewOf(made, made.events);
  for (const task of setOf(made).byId.values()) {
    if (task.kind !== 'task') continue;
    const counted = countedSeconds(task, view);
    const begins = task.definition.versions.slice(1).map(({ inForceFrom }) => inForceFrom);
    const last = Math.max(...counted, ...begins);
    let nowS: number | null = Math.min(...counted, ...begins) - 1;
    while (nowS !== null && nowS < last) {
      const { owed, dueAt } = evaluateTask(task, view, task.names, { fromS: 0, nowS });
      const due = dueOfTask({ task, view, owed, dueAt }, nowS);
      const isPassed = (atS: number): boolean => atS > nowS! && atS < (due ?? Infinity);
      expect(due ?? Infinity).toBeGreaterThan(nowS);
      expect(counted.filter(isPassed)).toEqual([]);
      const shownAt = (atS: number): ToldTask => {
        const shown = seriesAt(task, atS);
        return { series: shown.series, ...progressOf(task, shown, view, owed) };
      };
      const told = shownAt(nowS);
      for (const atS of begins.filter(isPassed)) {
        const shown = shownAt(atS);
        if (!isInitial(told) || !isInitial(shown)) expect([atS, shown.target]).toEqual([atS, told.target]);
      }
      if (due !== null) totals.dues++;
      if (due !== null && counted.includes(due)) totals.counted++;
      if (due !== null && begins.includes(due)) totals.versions++;
      nowS = due;
    }
  }
}

/** The seconds at which the value of the version in force may change by an event or a link. */
function countedSeconds(task: LiveTask, view: UserView): number[] {
  const isShown = (atS: number): boolean =>
    isComparedGoal(shownVersionAt(task, atS).body.goal) && atS < shownVersionAt(task, atS).lastS;
  const seconds = task.versions.flatMap((version) =>
    version.goal.terms.flatMap((term) =>
      view
        .countedBy(term)
        .map(({ seenAt }) => seenAt)
        .filter((atS) => shownVersionAt(task, atS) === version),
    ),
  );
  return [...new Set([...seconds, ...view.links.map(({ linkedAt }) => linkedAt)])].filter(isShown);
}
