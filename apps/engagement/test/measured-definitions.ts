import type { Condition } from '../src/evaluation/condition';
import type { EngineDefinition } from '../src/evaluation/definition';
import { segmentOf, taskOf } from './given-definitions';

/** Unix seconds at which events and tasks begin. */
export const measuredFromS = Date.parse('2026-01-05T00:00:00Z') / 1000;

/** The events that are measured; definitions of other names exist beside them. */
export const measuredNames = ['deposit', 'bet'] as const;

/** A threshold that users reach, and over which name. */
interface Near {
  readonly of: (typeof measuredNames)[number];
  readonly value: number;
}

const deposits = (value: number): Near => ({ of: 'deposit', value });
const bets = (value: number): Near => ({ of: 'bet', value });

const perName = 10;
const specs = { amount: { type: 'decimal', nonNegative: true }, game: { type: 'string' } } as const;

/**
 * What the sets after the first two are over: names of their own; or the measured names, so that all of them name each event.
 * Then they are tasks and segments as the first ones, or segments alone: the progress of every task is told.
 */
export type FurtherSets = 'other names' | 'same terms' | 'segments over same terms';

/**
 * Definitions in sets of ten, each set over one event name and the ten terms of that name. `count` of them in all; those of the
 * first two sets name the measured events.
 */
export function measuredDefinitions(count: number, further: FurtherSets): EngineDefinition[] {
  const sets = Math.ceil(count / perName);
  return Array.from({ length: sets }, (_, set) => {
    const isSame = further !== 'other names';
    const name = isSame ? measuredNames[set % measuredNames.length] : (measuredNames[set] ?? `other-${set}`);
    const isFirst = set < measuredNames.length;
    return setOf(name, set * perName, {
      beyond: isFirst ? 0 : set,
      hasTasks: isFirst || !further.startsWith('segments'),
    });
  })
    .flat()
    .slice(0, count);
}

/**
 * In the first sets (`beyond` 0) users reach thresholds, of each kind over one of the two names: about one change in ten events
 * where users begin with 0 to 8 events of a name. The thresholds of the other sets differ and lie ahead of all users, so that the
 * changes of an event are the same for every number of definitions.
 */
function setOf(
  name: string,
  first: number,
  { beyond, hasTasks }: { readonly beyond: number; readonly hasTasks: boolean },
): EngineDefinition[] {
  const filter = { event: name, where: [] } as const;
  const large = { event: name, where: [{ attribute: 'amount', op: 'gte', value: '20' }] } as const;
  const lifetime = { lifetime: true } as const;
  const id = (at: number): string => `00000000-0000-4000-8000-${String(first + at).padStart(12, '0')}`;
  const value = (near: Near, far: number): string => {
    return `${beyond === 0 && near.of === name ? near.value : far + beyond}`;
  };
  const segment = (at: number, condition: Condition): EngineDefinition => ({
    ...segmentOf(id(at), condition),
    specs: { [name]: specs },
  });
  const once = { repeat: { once: true }, max_per_user: 1 } as const;
  const task = (at: number, body: Parameters<typeof taskOf>[1] & { readonly goal: Condition }): EngineDefinition => {
    if (!hasTasks) return segment(at, body.goal);
    return { ...taskOf(id(at), { ...body, starts_at: measuredFromS, claw_back: 'always' }), specs: { [name]: specs } };
  };
  const step = beyond === 0 && name === 'deposit' ? '9' : '1000000';
  const every = { repeat: { every: step }, max_per_user: 1_000 };
  return [
    task(0, { goal: { count: filter, window: lifetime, op: 'gte', value: value(deposits(9), 1_000_000) }, ...every }),
    task(1, {
      goal: { sum: filter, attribute: 'amount', window: lifetime, op: 'gte', value: value(bets(700), 1e6) },
      ...once,
    }),
    segment(2, { count: filter, window: { rolling: 'P30D' }, op: 'gte', value: value(bets(6), 1_000) }),
    segment(3, {
      sum: filter,
      attribute: 'amount',
      window: { rolling: 'P30D' },
      op: 'gte',
      value: value(deposits(400), 1e6),
    }),
    segment(4, { count: large, window: { rolling: 'P7D' }, op: 'gte', value: value(bets(4), 1_000) }),
    segment(5, { distinct: filter, attribute: 'game', window: lifetime, op: 'gte', value: value(deposits(10), 20) }),
    segment(6, { max: filter, attribute: 'amount', window: lifetime, op: 'gte', value: value(bets(99), 1e6) }),
    segment(7, { streak: filter, every: 'week', op: 'gte', value: value(deposits(6), 100) }),
    task(8, {
      goal: { count: filter, window: { calendar: 'month' }, op: 'gte', value: value(bets(9), 1_000) },
      repeat: { per: 'month' },
      max_per_user: 100,
    }),
    segment(9, { latest: name, where: [{ attribute: 'amount', op: 'gte', value: value(deposits(100), 1e6) }] }),
  ];
}
