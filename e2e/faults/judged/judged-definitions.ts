import { ContractedEvent, startOfUtcDay } from '../../support/partner-under-test';

/** The events that the judged definitions are about. */
export const judgedContract: readonly ContractedEvent[] = [
  {
    name: 'deposit',
    kind: 'repeatable',
    attributes: [
      {
        name: 'amount',
        type: 'decimal',
        currency_attribute: 'currency',
        currencies: ['EUR', 'USD'],
        non_negative: true,
      },
      { name: 'currency', type: 'currency' },
    ],
  },
  {
    name: 'bet',
    kind: 'repeatable',
    attributes: [
      { name: 'game', type: 'string' },
      { name: 'odds', type: 'decimal' },
    ],
  },
  { name: 'kyc', kind: 'repeatable', attributes: [{ name: 'status', type: 'string' }] },
];

/** A segment that goals and `eligible` refer to; its members change with late events. */
export const judgedSegment = {
  name: 'Players of the week',
  condition: {
    all: [
      { count: { event: 'deposit' }, window: { rolling: 'P7D' }, op: 'gte', value: 3 },
      { not: { latest: 'kyc', where: [{ attribute: 'status', op: 'eq', value: 'blocked' }] } },
    ],
  },
};

/** Of days before all events, and of some days ago: amounts before and after it are converted by different rates. */
export function judgedRates(): { from: string; to: string; day: string; rate: string }[] {
  const dayOf = (days: number): string => startOfUtcDay(-days).slice(0, 10);
  return [
    { from: 'USD', to: 'EUR', day: dayOf(60), rate: '0.9' },
    { from: 'USD', to: 'EUR', day: dayOf(3), rate: '0.123456789' },
  ];
}

const points = { type: 'points', amount: '1' };
const day = { calendar: 'day' };
const daily = { repeat: { per: 'day' }, max_per_user: 40, claw_back: 'always', reward: points };
const euros = { attribute: 'amount', currency: 'EUR' };
const bets = { count: { event: 'bet' }, window: day };
const deposits = { count: { event: 'deposit' }, window: day };
const passed = { latest: 'kyc', where: [{ attribute: 'status', op: 'eq', value: 'passed' }] };

/**
 * Tasks of every condition, repeat, claw-back and kind of reward, with budgets and limits that are reached. Each instant that
 * decides is brought by an event, so that what is owed does not hang on the second of the comparison.
 */
export function judgedTasks(segmentId: string): readonly object[] {
  const tasks: Record<string, object> = {
    'Two deposits in a day': { ...daily, goal: { ...deposits, op: 'gte', value: 2 } },
    'Every 200 euros, two at once': {
      goal: { sum: { event: 'deposit' }, ...euros, op: 'gte', value: '200' },
      ...{ repeat: { every: '200' }, max_per_user: 500, max_per_event: 2, claw_back: 'always', reward: points },
    },
    'Every 300 converted euros': {
      goal: { sum: { event: 'deposit' }, attribute: 'amount', convert_to: 'EUR', op: 'gte', value: '300' },
      ...{ repeat: { every: '300' }, max_per_user: 500, max_per_event: 2, claw_back: 'always', reward: points },
    },
    'Low odds in a day': { ...daily, goal: { min: { event: 'bet' }, attribute: 'odds', op: 'lte', value: '1.05' } },
    'A tenth of a big deposit of a week': {
      goal: { max: { event: 'deposit' }, ...euros, op: 'gte', value: '350' },
      ...{ repeat: { per: 'week' }, max_per_user: 10, claw_back: 'before_confirm' },
      reward: { type: 'bonus_money', percent: '10', of: { attribute: 'amount' }, currency: 'EUR', cap: '40' },
    },
    'Four games in a day': { ...daily, goal: { distinct: { event: 'bet' }, attribute: 'game', op: 'gte', value: 4 } },
    'A deposit of somebody verified': {
      ...daily,
      goal: { all: [passed, { ...deposits, op: 'gte', value: 1 }] },
      budget: { total: '9' },
    },
    'A quiet day, or three checks': {
      ...daily,
      goal: {
        all: [
          { any: [{ absent: { event: 'bet' }, window: { rolling: 'P1D' } }, { ...passed }] },
          { ...deposits, op: 'gte', value: 3 },
        ],
      },
    },
    'Check, deposit and bet within six hours': {
      ...daily,
      goal: { sequence: [{ event: 'kyc' }, { event: 'deposit' }, { event: 'bet' }], within: 'PT6H' },
    },
    'Bets on three days': {
      goal: { streak: { event: 'bet' }, every: 'day', op: 'gte', value: 3 },
      ...{ repeat: { once: true }, claw_back: 'none', reward: points },
    },
    'A bet of players': {
      ...daily,
      goal: { all: [{ in_segment: segmentId }, { ...bets, op: 'gte', value: 1 }] },
    },
    'Every third bet of players': {
      goal: { count: { event: 'bet' }, op: 'gte', value: 3 },
      ...{ repeat: { every: '3' }, max_per_user: 500, eligible: segmentId, claw_back: 'always', reward: points },
      budget: { total: '60' },
    },
    'A share of the deposits of a week': {
      ...daily,
      goal: { ...bets, op: 'gte', value: 2 },
      reward: {
        ...{ type: 'bonus_money', percent: '5', currency: 'EUR', floor: '0.5' },
        of: { sum: { event: 'deposit' }, attribute: 'amount', window: { rolling: 'P7D' } },
      },
      budget: { total: '150' },
    },
    'Deposits before three bets': {
      ...daily,
      goal: {
        all: [
          { ...bets, op: 'lt', value: 3 },
          { ...deposits, op: 'gte', value: 2 },
        ],
      },
    },
  };
  return Object.entries(tasks).map(([name, body]) => ({ name, starts_at: startOfUtcDay(-10), ...body }));
}
