import type { FormulaReward } from '../../src/evaluation/definition';
import type { HistoryEvent } from '../../src/evaluation/history';
import {
  type Example,
  at,
  atLeast,
  deposit,
  deposits,
  event,
  example,
  lifetime,
  link,
  login,
  owes,
  segment,
  segments,
  sinceLink,
  task,
  taskWindow,
} from './example-parts';

const second = '11-05 10:00:00';
const atSecond = (isMember: boolean): [number, boolean][] => [[at(second), isMember]];

/** Deposits of one second, one for each set of attributes. */
function depositsWith(...attributes: Record<string, string>[]): HistoryEvent[] {
  return attributes.map((values, i) => event(`d${i + 1}`, 'deposit', second, values));
}

const tenPercent = { type: 'bonus_money', percent: '10', of: { attribute: 'amount' }, currency: 'EUR' } as const;

/** A task that pays ten percent of each day's first deposit. */
const percentOf = (
  reward: Partial<FormulaReward> & { currency?: string; convert_to?: undefined },
  definitionId: string,
) => task({ repeat: { per: 'day' }, reward: { ...tenPercent, ...reward } }, { definitionId });

const euros = (amount: string) => ({ reward: { type: 'bonus_money', amount, currency: 'EUR' } });

/** Readings 5, 6 and 8 to 15, as far as they concern evaluation: caps, links, deciding events, values, forms, rewards. */
export const examplesOfValues: readonly Example[] = [
  example('5: what is owed has no cap', {
    definitions: [task({ repeat: { every: '1' }, max_per_user: 1 })],
    events: deposits('11-02', '11-03'),
    owed: { task: [owes('g1:every:1', '11-02', 'd1'), owes('g1:every:2', '11-03', 'd2')] },
  }),

  example('6: time alone reaches nothing before the first link', {
    definitions: [task({ goal: { not: atLeast(1) } })],
    links: [link('11-05 10:00:00')],
    owed: { task: [owes('g1:once', '11-05 10:00:00', null)] },
  }),
  example('6: an event reaches its goal before the first link', {
    definitions: [task({})],
    links: [link('11-05')],
    events: [event('d1', 'deposit', '11-02', {}, { link: link('11-05'), receivedAt: '11-05' })],
    owed: { task: [owes('g1:once', '11-02', 'd1')] },
  }),
  example('6: where time decides and the user is not linked, there is no account', {
    definitions: [task({ goal: { absent: login, window: { rolling: 'P7D' } }, starts_at: at('11-02 12:00:00') })],
    links: [link('10-01', '11-03')],
    events: [event('l1', 'login', '11-02 12:00:00')],
    owed: { task: [owes('g1:once', '11-09', null, null)] },
  }),
  example('6: an absence begins with the link of the instant', {
    definitions: [segment({ condition: { absent: login, window: { rolling: 'P3D' } } })],
    links: [link('10-01', '11-05'), link('11-05 00:00:01', null, 'account-2')],
    members: {
      segment: [
        [at('10-03 23:59:59'), true],
        [at('10-02 23:59:59'), false],
        [at('11-05 00:00:01'), false],
        [at('11-07 23:59:59'), false],
        [at('11-08'), true],
      ],
    },
  }),
  example('6: what one link was paid for is not paid again for the next', {
    definitions: [task({ goal: atLeast(1, deposit, sinceLink), repeat: { every: '1' }, max_per_user: 50 })],
    links: [link('10-01', '11-04'), link('11-05', null, 'account-2')],
    events: [
      ...deposits('11-02', '11-03'),
      ...['11-06', '11-07', '11-08'].map((time, i) =>
        event(`e${i + 1}`, 'deposit', time, {}, { link: link('11-05', null, 'account-2') }),
      ),
    ],
    owed: {
      task: [
        owes('g1:every:1', '11-02', 'd1'),
        owes('g1:every:2', '11-03', 'd2'),
        owes('g1:every:3', '11-08', 'e3', 'account-2'),
      ],
    },
  }),
  example('6: members are linked, half-open, whatever their events', {
    definitions: [segment({})],
    links: [link('10-01', '11-05')],
    events: deposits('11-02'),
    members: {
      segment: [
        [at('11-02'), true],
        [at('11-04 23:59:59'), true],
        [at('11-05'), false],
      ],
    },
  }),

  example('8: of one second, the first by the bytes of its id decides', {
    definitions: [task({})],
    events: [event('😀', 'deposit', second), event('\uffee', 'deposit', second)],
    owed: { task: [owes('g1:once', second, '\uffee')] },
  }),
  example('8: time decides what would hold without the events of the second', {
    definitions: [task({ goal: atLeast(1, deposit, lifetime) })],
    events: deposits('10-20', '11-01'),
    owed: { task: [owes('g1:once', '11-01', null)] },
  }),
  example('8: a late event belongs to the second of its receipt, in the order of created_at', {
    definitions: [task({ goal: atLeast(1, deposit, lifetime) })],
    events: [event('a', 'deposit', '12-20'), event('z', 'deposit', '11-01', {}, { receivedAt: '12-20' })],
    owed: { task: [owes('g1:once', '12-20', 'z')] },
  }),
  example('8: an event that makes the user eligible decides', {
    definitions: [segment({ condition: atLeast(1, login, lifetime) }), task({ eligible: 'segment' })],
    links: [link('10-01'), link('11-03', null, 'account-2')],
    events: [...deposits('11-02'), event('l1', 'login', '11-05')],
    owed: { task: [owes('g1:once', '11-05', 'l1')] },
  }),

  example('9: an absent value satisfies not_exists and nothing else', {
    definitions: segments({
      ne: atLeast(1, { event: 'deposit', where: [{ attribute: 'method', op: 'ne', value: 'card' }] }, lifetime),
      exists: atLeast(1, { event: 'deposit', where: [{ attribute: 'score', op: 'exists' }] }, lifetime),
      not_exists: atLeast(1, { event: 'deposit', where: [{ attribute: 'score', op: 'not_exists' }] }, lifetime),
      sum_of_nothing: { sum: deposit, attribute: 'score', window: lifetime, op: 'lt', value: '1' },
      min_of_nothing: { min: deposit, attribute: 'score', window: lifetime, op: 'lt', value: '1' },
      max_of_nothing: { max: deposit, attribute: 'score', window: lifetime, op: 'ne', value: '1' },
      distinct_of_nothing: { distinct: deposit, attribute: 'score', window: lifetime, op: 'eq', value: '0' },
    }),
    events: depositsWith({ score: 'two' }),
    members: {
      ne: atSecond(false),
      exists: atSecond(false),
      not_exists: atSecond(true),
      sum_of_nothing: atSecond(true),
      min_of_nothing: atSecond(false),
      max_of_nothing: atSecond(false),
      distinct_of_nothing: atSecond(true),
    },
  }),
  example('9: money is compared and added in one currency', {
    definitions: segments({
      euro_ne: atLeast(
        1,
        { event: 'deposit', where: [{ attribute: 'amount', op: 'ne', value: '5', currency: 'EUR' }] },
        lifetime,
      ),
      dollars: { sum: deposit, attribute: 'amount', currency: 'USD', window: lifetime, op: 'eq', value: '30' },
      euros: { sum: deposit, attribute: 'amount', currency: 'EUR', window: lifetime, op: 'eq', value: '0' },
      without_currency: atLeast(1, { event: 'deposit', where: [{ attribute: 'amount', op: 'not_exists' }] }, lifetime),
    }),
    events: depositsWith({ amount: '10', currency: 'USD' }, { amount: '20', currency: 'USD' }, { amount: '40' }),
    members: {
      euro_ne: atSecond(false),
      dollars: atSecond(true),
      euros: atSecond(true),
      without_currency: atSecond(true),
    },
  }),

  example('10: decimals and integers', {
    definitions: segments({
      decimals: {
        count: { event: 'deposit', where: [{ attribute: 'ratio', op: 'exists' }] },
        window: lifetime,
        op: 'eq',
        value: '7',
      },
      distinct: { distinct: deposit, attribute: 'ratio', window: lifetime, op: 'eq', value: '6' },
      integers: { sum: deposit, attribute: 'score', window: lifetime, op: 'eq', value: '1' },
      points: {
        count: { event: 'deposit', where: [{ attribute: 'points', op: 'exists' }] },
        window: lifetime,
        op: 'eq',
        value: '2',
      },
    }),
    events: depositsWith(
      ...['.5', '7.', '+5', '1e17', '1.0000000000', '0e999', '0.5e0'].map((ratio) => ({ ratio })),
      ...['', ' 5', '1,000', '1e18', '0.0000000001', '1e', '.', '1e1000'].map((ratio) => ({ ratio })),
      ...['+3', '-2', '1.0', '1e1', ''].map((score) => ({ score })),
      ...['-1', '-0', '5'].map((points) => ({ points })),
    ),
    members: { decimals: atSecond(true), distinct: atSecond(true), integers: atSecond(true), points: atSecond(true) },
  }),
  example('10: times, booleans and currencies', {
    definitions: segments({
      times: { distinct: deposit, attribute: 'settled_at', window: lifetime, op: 'eq', value: '1' },
      earliest: { min: deposit, attribute: 'settled_at', window: lifetime, op: 'eq', value: String(at('10-29')) },
      booleans: { distinct: deposit, attribute: 'is_first', window: lifetime, op: 'eq', value: '1' },
      currencies: { distinct: deposit, attribute: 'currency', window: lifetime, op: 'eq', value: '1' },
    }),
    events: depositsWith(
      ...['2026-10-29T00:00:00Z', '2026-10-29T03:00:00+03:00', String(at('10-29'))].map((settled_at) => ({
        settled_at,
      })),
      ...['2026-10-29', '2026-02-30T00:00:00Z', '2026-10-29T00:00:00'].map((settled_at) => ({ settled_at })),
      ...['true', 'TRUE', '1', ''].map((is_first) => ({ is_first })),
      ...['EUR', 'eur', 'EURO'].map((currency) => ({ currency })),
    ),
    members: { times: atSecond(true), earliest: atSecond(true), booleans: atSecond(true), currencies: atSecond(true) },
  }),
  example('10: a currency is known from the contract version that names it on', {
    definitions: segments({
      yen: { sum: deposit, attribute: 'amount', currency: 'JPY', window: lifetime, op: 'eq', value: '300' },
      unknown: {
        count: { event: 'deposit', where: [{ attribute: 'amount', op: 'not_exists' }] },
        window: lifetime,
        op: 'eq',
        value: '2',
      },
    }),
    events: [
      event('d1', 'deposit', second, { amount: '100', currency: 'JPY' }, { contractVersion: 1 }),
      event('d2', 'deposit', second, { amount: '300', currency: 'JPY' }, { contractVersion: 2 }),
      event('d3', 'deposit', second, { amount: '500', currency: 'GBP' }, { contractVersion: 2 }),
    ],
    members: { yen: atSecond(true), unknown: atSecond(true) },
  }),

  example('11: a late event is seen from its receipt on, one of exactly the horizon when it happened', {
    definitions: [segment({}), task({ goal: atLeast(2, deposit, lifetime) })],
    events: [
      event('d1', 'deposit', '11-02', {}, { receivedAt: '12-07 00:00:00' }),
      event('d2', 'deposit', '11-03', {}, { receivedAt: '12-08 00:00:01' }),
    ],
    owed: { task: [owes('g1:once', '12-08 00:00:01', 'd2')] },
    members: { segment: [[at('11-02'), true]] },
  }),
  example('11: a late event reaches nothing in a period or task that was over, and takes no part in sequences', {
    definitions: [
      task({ repeat: { per: 'month' } }, { definitionId: 'months' }),
      task({ ends_at: at('12-10') }, { definitionId: 'ended' }),
      task({ goal: { sequence: [deposit, login], within: 'P7D' } }, { definitionId: 'steps' }),
      task({ goal: { streak: deposit, every: 'month', op: 'gte', value: '1' } }, { definitionId: 'streak' }),
    ],
    events: [event('d1', 'deposit', '11-02', {}, { receivedAt: '12-20' }), event('l1', 'login', '11-03')],
    owed: { months: [], ended: [], steps: [], streak: [owes('g1:once', '12-20', 'd1')] },
  }),

  example('12: a sequence spans at most its time, inclusive, of distinct events in order', {
    definitions: [
      task({ goal: { sequence: [login, deposit, deposit], within: 'PT1H' } }, { definitionId: 'hour' }),
      task({ goal: { sequence: [deposit, login], within: 'P7D' } }, { definitionId: 'reversed' }),
      task({ goal: { sequence: [deposit, deposit, deposit], within: 'P7D' } }, { definitionId: 'three' }),
    ],
    events: [
      event('l1', 'login', '11-05 09:59:59'),
      event('l2', 'login', '11-05 10:00:00'),
      event('d1', 'deposit', '11-05 10:30:00'),
      event('d2', 'deposit', '11-05 11:00:00'),
    ],
    owed: { hour: [owes('g1:once', '11-05 11:00:00', 'd2')], reversed: [], three: [] },
  }),
  example('12: a streak ends with the current or the previous period', {
    definitions: segments({ streak: { streak: deposit, every: 'day', op: 'gte', value: '2' } }),
    events: deposits('11-02 12:00:00', '11-03 12:00:00'),
    members: {
      streak: [
        [at('11-03 11:59:59'), false],
        [at('11-03 12:00:00'), true],
        [at('11-04 23:59:59'), true],
        [at('11-05'), false],
      ],
    },
  }),
  example('12: latest looks at the newest event alone, ties in the order of ids', {
    definitions: segments({ latest: { latest: 'kyc', where: [{ attribute: 'status', op: 'eq', value: 'passed' }] } }),
    events: [
      event('b', 'kyc', '11-02', { status: 'passed' }),
      event('a', 'kyc', '11-02', { status: 'failed' }),
      event('c', 'kyc', '11-03'),
    ],
    members: {
      latest: [
        [at('11-01'), false],
        [at('11-02'), true],
        [at('11-03'), false],
      ],
    },
  }),

  example('13: a segment is false from its end on, for in_segment too, and needs no link there', {
    definitions: [
      segment({}, { endedAt: at('11-10') }),
      task({ goal: { in_segment: 'segment' }, repeat: { per: 'day' }, starts_at: at('11-08') }),
    ],
    links: [link('10-01', '11-05')],
    events: deposits('11-02'),
    owed: { task: [owes('2026-11-08', '11-08', null, null), owes('2026-11-09', '11-09', null, null)] },
    members: {
      segment: [
        [at('11-04'), true],
        [at('11-05'), false],
      ],
    },
  }),
  example('13: in_segment meets the version in force at the instant', {
    definitions: [
      segment([{ body: {} }, { inForceFrom: '11-10', body: { condition: atLeast(2, deposit, lifetime) } }]),
      ...segments({ same: { in_segment: 'segment' } }),
    ],
    events: deposits('11-02', '11-20'),
    members: {
      same: [
        [at('11-02'), true],
        [at('11-09 23:59:59'), true],
        [at('11-10'), false],
        [at('11-20'), true],
      ],
    },
  }),

  example('15: a percentage is rounded half up, then raised to its floor and cut to its cap', {
    definitions: [
      percentOf({}, 'plain'),
      percentOf({ floor: '0.5', cap: '3' }, 'bounded'),
      task(
        { reward: { ...tenPercent, of: { sum: deposit, attribute: 'amount', window: taskWindow } }, goal: atLeast(4) },
        { definitionId: 'sum' },
      ),
    ],
    events: [
      event('d1', 'deposit', '11-02', { amount: '10.05', currency: 'EUR' }),
      event('d2', 'deposit', '11-03', { amount: '0.04', currency: 'EUR' }),
      event('d3', 'deposit', '11-04', { amount: '100', currency: 'USD' }),
      event('d4', 'deposit', '11-05', { amount: '45', currency: 'EUR' }),
    ],
    owed: {
      plain: [
        owes('2026-11-02', '11-02', 'd1', 'account-1', euros('1.01')),
        owes('2026-11-03', '11-03', 'd2', 'account-1', { reward: { unpayable: 'amount_zero' } }),
        owes('2026-11-04', '11-04', 'd3', 'account-1', { reward: { unpayable: 'amount_absent' } }),
        owes('2026-11-05', '11-05', 'd4', 'account-1', euros('4.5')),
      ],
      bounded: [
        owes('2026-11-02', '11-02', 'd1', 'account-1', euros('1.01')),
        owes('2026-11-03', '11-03', 'd2', 'account-1', euros('0.5')),
        owes('2026-11-04', '11-04', 'd3', 'account-1', { reward: { unpayable: 'amount_absent' } }),
        owes('2026-11-05', '11-05', 'd4', 'account-1', euros('3')),
      ],
      // 55.09 EUR in all.
      sum: [owes('g1:once', '11-05', 'd4', 'account-1', euros('5.51'))],
    },
  }),
  example('15: an amount of more than 18 digits before the point is not paid, unless it is cut to its cap', {
    definitions: [
      percentOf({ percent: '100' }, 'plain'),
      percentOf({ percent: '200' }, 'doubled'),
      percentOf({ percent: '200', cap: '7' }, 'bounded'),
    ],
    events: [
      event('d1', 'deposit', '11-02', { amount: '999999999999999999.99', currency: 'EUR' }),
      event('d2', 'deposit', '11-03', { amount: '500000000000000000', currency: 'EUR' }),
    ],
    owed: {
      plain: [
        owes('2026-11-02', '11-02', 'd1', 'account-1', euros('999999999999999999.99')),
        owes('2026-11-03', '11-03', 'd2', 'account-1', euros('500000000000000000')),
      ],
      doubled: ['11-02', '11-03'].map((day, i) =>
        owes(`2026-${day}`, day, `d${i + 1}`, 'account-1', { reward: { unpayable: 'amount_too_large' } }),
      ),
      bounded: ['11-02', '11-03'].map((day, i) => owes(`2026-${day}`, day, `d${i + 1}`, 'account-1', euros('7'))),
    },
  }),
];
