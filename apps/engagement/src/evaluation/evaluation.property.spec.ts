import { UserEventData } from '@podium/messages';
import Big from 'big.js';
import fc from 'fast-check';
import { TaskBody } from './condition';
import { CompiledDefinition, CompiledSegment, CompiledTask, compileDefinition } from './compiled-definition';
import { evaluateSegment } from './evaluate-segment';
import { evaluateTask } from './evaluate-task';
import {
  Arrival,
  arrival,
  condition,
  countOf,
  dates,
  day0,
  history,
  instant,
  movingCondition,
  onceTask,
  repeatedTask,
  reward,
  types,
  wait,
  window,
} from '../../test/generated-histories';
import { OracleEvent, oracleHolds, oracleMember, oracleOccurrences } from '../../test/oracle';
import { TermPoint, mergePoint, mergePoints } from './term-point';

const seed = Date.now() & 0x7fffffff;
const runs = { seed, numRuns: 600 };

const identity = {
  definitionId: 'd',
  version: 1,
  generation: 2,
  platform: 'acme',
  organizerId: 'o',
  paused: false,
  countsFromMs: 0,
  attributeTypes: types,
};

function record(event: OracleEvent): UserEventData {
  return {
    platform: 'acme',
    platform_user_id: 'p',
    event: { id: event.id, name: event.name, created_at: event.createdAt, attributes: [...event.attributes] },
    user_id: 'u',
    link_id: 'l',
    linked_at: event.linkedAt,
    integration_id: 'i',
    organizer_id: 'o',
    kind: 'repeatable',
    contract_version: 1,
    dropped_attributes: [],
    received_at: 0,
  };
}

/** The state after all batches, merged as the table merges it. */
function stateOf(compiled: CompiledDefinition, events: readonly OracleEvent[], { order, cuts }: Arrival): TermPoint[] {
  const arriving = events
    .map((event) => ({ event, rank: order.next().value as number }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ event }) => event);
  const table = new Map<string, TermPoint>();
  for (let i = 0; i < arriving.length;) {
    const size = cuts.next().value as number;
    const batch = mergePoints(arriving.slice(i, i + size).flatMap((event) => compiled.deltas(record(event))));
    for (const point of batch) {
      const key = `${point.term}/${point.bucket}`;
      const stored = table.get(key);
      table.set(key, stored ? mergePoint(stored, point) : point);
    }
    i += size;
  }
  return [...table.values()];
}

function sorted(points: readonly TermPoint[]): TermPoint[] {
  return [...points].sort((a, b) => a.term - b.term || a.bucket - b.bucket);
}

/** Times at which windows may move in the nine days after now: every hour of the first 26, then every midnight. */
function laterInstants(now: number): number[] {
  const later: number[] = [];
  for (let hour = now - (now % 3600) + 3600; hour < now + 26 * 3600; hour += 3600) later.push(hour);
  for (let day = now - (now % 86_400) + 86_400; day < now + 9 * 86_400; day += 86_400) later.push(day);
  return later;
}

function newest(events: readonly OracleEvent[]): number {
  return Math.max(...events.map((event) => event.createdAt));
}

function compileTask(body: TaskBody): CompiledTask {
  return compileDefinition({ ...identity, kind: 'task', body }) as CompiledTask;
}

function keys(compiled: CompiledTask, points: readonly TermPoint[], now: number): string[] {
  return evaluateTask(compiled, points, now).reached.map(({ occurrence }) => occurrence);
}

describe(`evaluation equals a recomputation over the whole history (seed ${seed})`, () => {
  const seen = { reached: 0, unreached: 0, due: 0, repeated: 0, member: 0, outside: 0, flips: 0 };

  for (const [label, tasks] of [
    ['once', onceTask],
    ['every', repeatedTask],
  ] as const)
    it(`tasks, ${label}: the set of occurrences, in any order of arrival`, () => {
      fc.assert(
        fc.property(tasks, history, arrival, arrival, wait, (body, events, one, other, waited) => {
          const compiled = compileTask(body);
          const now = newest(events) + waited;
          const task = { body, generation: 2, types };
          const points = stateOf(compiled, events, one);
          expect(sorted(stateOf(compiled, events, other))).toEqual(sorted(points));
          const expected = oracleOccurrences(task, events, now);
          const { reached, dueAt } = evaluateTask(compiled, points, now);
          expect(new Set(reached.map(({ occurrence }) => occurrence))).toEqual(expected);
          expect(reached.length).toBe(expected.size);
          for (const [n, { reachedAt }] of reached.entries()) {
            expectWithin(body, reachedAt, now);
            const past = events.filter((event) => event.createdAt <= reachedAt);
            expect([n, oracleHoldsAgain(body, past, reachedAt, n)]).toEqual([n, true]);
          }
          expect(evaluateTask(compiled, points, now, 1).reached).toEqual(reached.slice(1));
          seen[expected.size > 0 ? 'reached' : 'unreached']++;
          if (expected.size > 1) seen.repeated++;

          // Occurrences never decrease over time, so checking the last instant before the due time covers all earlier ones.
          const lastQuiet = (dueAt ?? now + 9 * 86_400) - 1;
          expect(oracleOccurrences(task, events, lastQuiet).size).toBe(expected.size);
          if (dueAt !== null) {
            seen.due++;
            expect(dueAt).toBeGreaterThan(now);
            expect(oracleOccurrences(task, events, dueAt).size).toBeGreaterThan(expected.size);
            expect(new Set(keys(compiled, points, dueAt))).toEqual(oracleOccurrences(task, events, dueAt));
          }
        }),
        runs,
      );
    });

  it('tasks: goals of one kind of term each, in the buckets of their grain', () => {
    const growing = fc.array(countOf(window, fc.constantFrom('gte', 'gt')), { minLength: 1, maxLength: 3 });
    const goals = fc.oneof(
      growing.map((all) => ({ all })),
      growing.map((any) => ({ any })),
      countOf(window, fc.constantFrom('lt', 'lte')).map((not) => ({ not })),
    );
    fc.assert(
      fc.property(goals, dates, history, arrival, wait, (goal, within, events, one, waited) => {
        fc.pre(!oracleHolds(goal, types, [], day0));
        const body: TaskBody = { goal, repeat: { once: true }, reward, ...within };
        const compiled = compileTask(body);
        expect(compiled.grainS).not.toBe(1);
        const now = newest(events) + waited;
        const points = stateOf(compiled, events, one);
        expect(keys(compiled, points, now)).toEqual([
          ...oracleOccurrences({ body, generation: 2, types }, events, now),
        ]);
      }),
      runs,
    );
  });

  it('segments: membership now and at every later time, and no change between due times', () => {
    /** The current link began at any time, in the same second as an event, or there is none. */
    const links = fc.option(fc.oneof(instant, fc.constant(day0 - 5), fc.nat({ max: 17 })), { nil: null, freq: 8 });
    fc.assert(
      fc.property(
        fc.oneof(condition, movingCondition),
        history,
        arrival,
        arrival,
        links,
        wait,
        (c, events, one, other, link, waited) => {
          const linkedAt = link !== null && link < day0 - 5 ? events[link % events.length].createdAt : link;
          const segment = { body: { condition: c }, types };
          const compiled = compileDefinition({ ...identity, kind: 'segment', body: segment.body }) as CompiledSegment;
          const points = stateOf(compiled, events, one);
          expect(sorted(stateOf(compiled, events, other))).toEqual(sorted(points));
          let now = newest(events) + waited;
          for (let steps = 0; steps < 12; steps++) {
            const { member, dueAt } = evaluateSegment(compiled, points, { nowS: now, linkedAt });
            expect([now, member]).toEqual([now, oracleMember(segment, events, now, linkedAt)]);
            seen[member ? 'member' : 'outside']++;
            for (const later of laterInstants(now).filter((at) => at < (dueAt ?? Infinity)))
              expect([later, oracleMember(segment, events, later, linkedAt)]).toEqual([later, member]);
            if (dueAt === null) return;
            expect(oracleMember(segment, events, dueAt, linkedAt)).toBe(!member);
            seen.flips++;
            now = dueAt;
          }
        },
      ),
      runs,
    );
  });

  it('has covered cases of every kind', () => {
    for (const [kind, count] of Object.entries(seen)) expect([kind, count, count > 5]).toEqual([kind, count, true]);
  });
});

function expectWithin(body: TaskBody, atS: number, now: number): void {
  expect(atS).toBeLessThanOrEqual(now);
  if (body.starts_at !== undefined) expect(atS).toBeGreaterThanOrEqual(Date.parse(body.starts_at) / 1000);
  if (body.ends_at !== undefined) expect(atS).toBeLessThan(Date.parse(body.ends_at) / 1000);
}

/** Whether the goal holds at an instant, for the n-th repetition (from 0) with its value raised by n steps. */
function oracleHoldsAgain({ goal, repeat }: TaskBody, past: readonly OracleEvent[], atS: number, n: number): boolean {
  const raised =
    'every' in repeat && ('count' in goal || 'sum' in goal)
      ? { ...goal, value: new Big(goal.value).plus(new Big(repeat.every).times(n)).toFixed() }
      : goal;
  return oracleHolds(raised, types, past, atS);
}
