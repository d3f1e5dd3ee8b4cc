import { segmentOf, taskOf } from '../../test/given-definitions';
import { DefinitionSet, definitionSet } from '../progress/definition-set';
import type { Condition } from './condition';
import type { EngineDefinition, SegmentDefinition } from './definition';
import { evaluateSegment } from './evaluate-segment';
import { evaluateTask } from './evaluate-task';
import type { HistoryEvent } from './history';
import { UserView, emptyHistory } from './user-history';

const idOf = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const taskId = idOf(99);
const nowS = 1_000_000;
const link = { linkedAt: 10, unlinkedAt: null, account: 'sub-1' };
const latest: Condition = { latest: 'deposit', where: [{ attribute: 'amount', op: 'gte', value: '1' }] };
const countOf = (value: number): Condition => ({
  count: { event: 'deposit', where: [] },
  ...{ window: { rolling: 'P30D' }, op: 'gte', value: String(value) },
});

/** A user with one deposit; `reads` counts how often its attributes are looked at. */
function userWithDeposit(): { readonly view: UserView; readonly reads: () => number } {
  let reads = 0;
  const event: HistoryEvent = {
    ...{ id: '1', name: 'deposit', createdAt: nowS - 60, receivedAt: nowS - 60, linkedAt: 10, account: 'sub-1' },
    contractVersion: 1,
    get attributes() {
      reads++;
      return { amount: '2' };
    },
  };
  const history = { ...emptyHistory, events: [event] };
  return { view: new UserView(new Map([['deposit', history]]), [link]), reads: () => reads };
}

/** A chain of segments, the first of `condition`, each other one with `refer` to the one before. */
function chain(length: number, condition: Condition, refer: (segmentId: string) => Condition): SegmentDefinition[] {
  return Array.from({ length }, (_, n) => segmentOf(idOf(n), n === 0 ? condition : refer(idOf(n - 1))));
}

/** The same definition with so many versions, one minute apart; `bodyOf` changes the body of each. */
function withVersions<Definition extends EngineDefinition>(
  definition: Definition,
  count: number,
  bodyOf: (version: number) => Partial<Definition['versions'][number]['body']> = () => ({}),
): Definition {
  const [{ body }] = definition.versions;
  const versions = Array.from({ length: count }, (_, i) => ({
    ...{ version: i + 1, generation: 1, inForceFrom: i * 60 },
    body: { ...body, ...bodyOf(i + 1) },
  }));
  return { ...definition, versions };
}

/** Refers to a segment in many places, of which none decides. */
const inManyPlaces = (segmentId: string): Condition => {
  const here: Condition = { in_segment: segmentId };
  const pair: Condition = { all: [here, { not: { not: here } }] };
  return { all: [here, pair, { any: [{ not: here }, pair] }, { not: { all: [{ not: here }, here] } }] };
};

const nestedTask = taskOf(taskId, { goal: { in_segment: idOf(0) }, repeat: { once: true }, eligible: idOf(5) });

function live(set: DefinitionSet, id: string) {
  const found = set.byId.get(id);
  if (found === undefined) throw new Error('the definition was not compiled');
  return found;
}

describe('segments that refer to segments', () => {
  it('are evaluated once for an instant, however many places refer to them', () => {
    const set = definitionSet([...chain(6, latest, inManyPlaces), nestedTask]);
    const ofSegment = userWithDeposit();
    const segment = live(set, idOf(5));
    if (segment.kind !== 'segment') throw new Error('not a segment');
    expect(evaluateSegment(segment, ofSegment.view, segment.names, nowS).member).toBe(true);
    expect(ofSegment.reads()).toBeLessThan(10);

    const ofTask = userWithDeposit();
    const task = live(set, taskId);
    if (task.kind !== 'task') throw new Error('not a task');
    expect(evaluateTask(task, ofTask.view, task.names, { fromS: 0, nowS }).owed).toHaveLength(1);
    expect(ofTask.reads()).toBeLessThan(20);
  });

  it('add the seconds at which they change once, however many versions refer to them', () => {
    const segments = chain(4, countOf(1), (segmentId) => ({ in_segment: segmentId }));
    const versioned = segments.map((segment) => withVersions(segment, 10));
    const task = withVersions(nestedTask, 10, () => ({ eligible: idOf(3) }));
    const set = definitionSet([...versioned, task]);
    const { view } = userWithDeposit();
    const looks = jest.spyOn(view, 'partsOf');
    const compiled = live(set, taskId);
    if (compiled.kind !== 'task') throw new Error('not a task');
    evaluateTask(compiled, view, compiled.names, { fromS: 0, nowS });
    // The ten versions of the first segment have one count each; its values are looked up once more.
    expect(looks.mock.calls.length).toBeLessThan(30);
  });

  it('are what definitions are sensitive to, once for all versions and definitions', () => {
    const segments = chain(3, latest, (segmentId) => ({ all: [latest, { in_segment: segmentId }] }));
    const tasks = Array.from({ length: 20 }, (_, n) =>
      withVersions({ ...nestedTask, definitionId: idOf(100 + n) }, 20),
    );
    const eligible = tasks.map((task) => withVersions(task, 20, () => ({ goal: latest, eligible: idOf(2) })));
    const set = definitionSet([...segments.map((segment) => withVersions(segment, 20)), ...eligible]);
    // One for each version that has such a condition of its own.
    expect(set.forEvent('acme', 'deposit').latest).toHaveLength(3 * 20 + 20 * 20);
    expect(live(set, idOf(100)).dependsOn).toEqual(new Set([idOf(0), idOf(1), idOf(2)]));
  });

  it('make thresholds that versions and definitions share', () => {
    const segments = chain(3, countOf(1), (segmentId) => ({ all: [countOf(2), { in_segment: segmentId }] }));
    const task = withVersions(taskOf(taskId, { goal: countOf(3), repeat: { once: true }, eligible: idOf(2) }), 20);
    const set = definitionSet([...segments.map((segment) => withVersions(segment, 20)), task]);
    const { watched } = set.forEvent('acme', 'deposit');
    const { bounds, dependents } = watched[0].values[0].thresholds!;
    expect(bounds).toHaveLength(3);
    // Below: of the first segment, those of the two others, and the task's own.
    expect(dependents.map((lists) => lists.length)).toEqual([1, 2, 1]);
    expect(dependents[0][0].map(({ definitionId }) => definitionId)).toEqual([idOf(0), idOf(1), idOf(2), taskId]);
  });
});
