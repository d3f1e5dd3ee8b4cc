import { UserEventData } from '@podium/messages';
import { userEvent } from '@podium/testing/user-event';
import { CompiledSegment, CompiledTask, compileDefinition } from './compiled-definition';
import { Condition, TaskBody, Window } from './condition';
import { evaluateSegment } from './evaluate-segment';
import { evaluateTask } from './evaluate-task';
import { TermPoint, mergePoints } from './term-point';

const t0 = Date.UTC(2026, 10, 20, 12) / 1000;
const types = { deposit: { amount: 'decimal', status: 'string' } } as const;
const identity = {
  definitionId: 'd',
  version: 1,
  generation: 1,
  platform: 'acme',
  organizerId: 'o',
  paused: false,
  countsFromMs: 0,
  attributeTypes: types,
};
const reward = { type: 'points', amount: '1' };
const lifetime = { lifetime: true } as const;
const sinceLink = { since: 'link' } as const;

function task(body: Omit<TaskBody, 'reward'>): CompiledTask {
  return compileDefinition({ ...identity, kind: 'task', body: { ...body, reward } }) as CompiledTask;
}

function segment(condition: Condition): CompiledSegment {
  return compileDefinition({ ...identity, kind: 'segment', body: { condition } }) as CompiledSegment;
}

function count(value: number, window: Window = lifetime): Condition {
  return { count: { event: 'deposit' }, window, op: 'gte', value };
}

function points(compiled: CompiledTask | CompiledSegment, ...events: UserEventData[]): TermPoint[] {
  return mergePoints(events.flatMap((event) => compiled.deltas(event)));
}

function at(
  createdAt: number,
  changes: { id?: string; linkedAt?: number; attributes?: Record<string, string> } = {},
): UserEventData {
  const { id = `e${createdAt}`, linkedAt = 1, attributes } = changes;
  return { ...userEvent({ id, createdAt, attributes }), linked_at: linkedAt };
}

function keys(compiled: CompiledTask, state: TermPoint[], nowS: number): string[] {
  return evaluateTask(compiled, state, nowS).reached.map(({ occurrence }) => occurrence);
}

const iso = (atS: number): string => new Date(atS * 1000).toISOString();

describe('the edges of a task', () => {
  it.each<[string, Condition]>([
    ['totals', count(1)],
    ['seconds', { sum: { event: 'deposit' }, attribute: 'amount', window: lifetime, op: 'gte', value: '1' }],
    ['days', count(1, { rolling: 'P2D' })],
  ])('its start belongs to it and its end does not, kept in %s', (_label, goal) => {
    const within = task({ goal, repeat: { once: true }, starts_at: iso(t0), ends_at: iso(t0 + 10) });
    const paid = { attributes: { amount: '1' } };
    expect(keys(within, points(within, at(t0 + 10, paid)), t0 + 20)).toEqual([]);
    expect(keys(within, points(within, at(t0 + 9, paid)), t0 + 20)).toEqual(['g1:once']);
    const early = points(within, at(t0 - 5, paid));
    expect(evaluateTask(within, early, t0 - 1)).toEqual({ reached: [], dueAt: t0 });
    expect(evaluateTask(within, early, t0).reached).toEqual([{ occurrence: 'g1:once', reachedAt: t0 }]);
  });

  it("since link counts from the second of the event's link, inclusive", () => {
    const linked = task({ goal: count(1, sinceLink), repeat: { once: true } });
    expect(keys(linked, points(linked, at(t0 - 1, { linkedAt: t0 })), t0)).toEqual([]);
    expect(keys(linked, points(linked, at(t0, { linkedAt: t0 })), t0)).toEqual(['g1:once']);
  });

  it('pays every step, up to the limit, and only what was not paid', () => {
    const every = task({
      goal: { sum: { event: 'deposit' }, attribute: 'amount', window: lifetime, op: 'gte', value: '10' },
      repeat: { every: '5' },
      max_per_user: 3,
    });
    const state = points(
      every,
      at(t0, { attributes: { amount: '15' } }),
      at(t0 + 1, { attributes: { amount: '1000000000000' } }),
    );
    expect(evaluateTask(every, state, t0 + 9)).toEqual({
      reached: [
        { occurrence: 'g1:every:1', reachedAt: t0 },
        { occurrence: 'g1:every:2', reachedAt: t0 },
        { occurrence: 'g1:every:3', reachedAt: t0 + 1 },
      ],
      dueAt: null,
    });
    expect(evaluateTask(every, state, t0 + 9, 2).reached).toEqual([{ occurrence: 'g1:every:3', reachedAt: t0 + 1 }]);
    expect(evaluateTask(every, state, t0 + 9, 3)).toEqual({ reached: [], dueAt: null });
  });

  it('stays reached when a later amount lowers the sum, and is not reached when that amount came before', () => {
    const once = task({
      goal: { sum: { event: 'deposit' }, attribute: 'amount', window: lifetime, op: 'gte', value: '10' },
      repeat: { once: true },
    });
    const plus = at(t0, { attributes: { amount: '10' } });
    expect(keys(once, points(once, at(t0 + 1, { attributes: { amount: '-1' } }), plus), t0 + 9)).toEqual(['g1:once']);
    expect(keys(once, points(once, plus, at(t0 - 1, { attributes: { amount: '-1' } })), t0 + 9)).toEqual([]);
    expect(keys(once, points(once, plus, at(t0, { id: 'x', attributes: { amount: '-1' } })), t0 + 9)).toEqual([]);
  });

  it("uses a partner's later clock as now, and ignores events of another platform", () => {
    const once = task({ goal: count(1), repeat: { once: true } });
    expect(keys(once, points(once, at(t0 + 300)), t0)).toEqual(['g1:once']);
    expect(once.deltas({ ...at(t0), platform: 'other' })).toEqual([]);
  });

  it('counts events by receipt from the start of the generation, whatever their created_at', () => {
    const body = { goal: count(1), repeat: { once: true }, reward } as const;
    const countsFromMs = (t0 + 100) * 1000;
    const since = compileDefinition({ ...identity, countsFromMs, kind: 'task', body });
    const old = at(t0 - 500);
    expect(since.deltas({ ...old, received_at: countsFromMs - 1 })).toEqual([]);
    expect(since.deltas({ ...old, received_at: countsFromMs })).toHaveLength(1);
  });
});

describe('the edges of a segment', () => {
  it('since link counts from the second of the current link, inclusive', () => {
    const since = segment(count(1, sinceLink));
    const state = points(since, at(t0));
    expect(evaluateSegment(since, state, { nowS: t0, linkedAt: t0 }).member).toBe(true);
    expect(evaluateSegment(since, state, { nowS: t0, linkedAt: t0 + 1 }).member).toBe(false);
  });

  it('the latest of two events in one second has the greater id in bytes', () => {
    const passed = segment({ latest: 'deposit', where: [{ attribute: 'status', op: 'eq', value: 'passed' }] });
    const greater = at(t0, { id: '😀', attributes: { status: 'passed' } });
    const smaller = at(t0, { id: '\uffee', attributes: { status: 'failed' } });
    for (const order of [
      [greater, smaller],
      [smaller, greater],
    ])
      expect(evaluateSegment(passed, points(passed, ...order), { nowS: t0, linkedAt: 1 }).member).toBe(true);
  });

  it('is left at the boundary at which the deciding event leaves the window', () => {
    const active = segment(count(2, { rolling: 'PT2H' }));
    const state = points(active, at(t0 + 60), at(t0 + 3600), at(t0 + 3700));
    expect(evaluateSegment(active, state, { nowS: t0 + 3700, linkedAt: 1 })).toEqual({
      member: true,
      dueAt: t0 + 3 * 3600,
    });
    expect(evaluateSegment(active, state, { nowS: t0 + 3 * 3600, linkedAt: 1 })).toEqual({
      member: false,
      dueAt: null,
    });
  });

  it('has no unlinked member, and may have a linked member without events', () => {
    const newcomer = segment({ not: count(1) });
    expect(evaluateSegment(newcomer, [], { nowS: t0, linkedAt: null })).toEqual({ member: false, dueAt: null });
    expect(evaluateSegment(newcomer, [], { nowS: t0, linkedAt: t0 })).toEqual({ member: true, dueAt: null });
  });
});
