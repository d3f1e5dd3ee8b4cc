import type { CompareOp, Condition, Window } from '../../src/evaluation/condition';
import {
  type Example,
  at,
  deposit,
  event,
  example,
  lifetime,
  link,
  owes,
  segments,
  sinceLink,
  task,
} from './example-parts';

const usd = (day: string, rate: string) => ({ from: 'USD', to: 'EUR', day: `2026-${day}`, rate });
const dollars = (id: string, createdAt: string, amount: string, rest: Parameters<typeof event>[4] = {}) =>
  event(id, 'deposit', createdAt, { amount, currency: 'USD' }, rest);

function converted(
  head: 'sum' | 'min' | 'max',
  value: string,
  op: CompareOp = 'gte',
  window: Window = lifetime,
): Condition {
  const of = { attribute: 'amount', convert_to: 'EUR', window, op, value } as const;
  if (head === 'sum') return { sum: deposit, ...of };
  return head === 'min' ? { min: deposit, ...of } : { max: deposit, ...of };
}

const tenPercent = { type: 'bonus_money', percent: '10', convert_to: 'EUR' } as const;
const inEuros = (amount: string) => ({ reward: { type: 'bonus_money', amount, currency: 'EUR' } });

/** Worked examples of converted money. */
export const examplesOfRates: readonly Example[] = [
  example('14: the rate of the last day before counts, never that of the day itself, and nothing is rounded', {
    definitions: [
      task({ goal: converted('sum', '46.123456789', 'gt') }, { definitionId: 'above' }),
      task({ goal: converted('sum', '46.123456789', 'eq') }, { definitionId: 'rounded' }),
    ],
    rates: [usd('11-01', '0.9'), usd('11-02', '0.000000000012'), usd('11-03', '0.123456789')],
    events: [
      dollars('d1', '11-02 23:59:59', '50'),
      dollars('d2', '11-03', '1'),
      dollars('d3', '11-09', '1'),
      event('d4', 'deposit', '11-10', { amount: '1', currency: 'EUR' }),
    ],
    // 45 + 0.000000000012 + 0.123456789 + 1
    owed: { above: [owes('g1:once', '11-10', 'd4')], rounded: [] },
  }),

  example('14: an amount without an earlier rate is left out; neither the inverse nor a third currency helps', {
    definitions: [
      task({ goal: converted('sum', '1') }),
      ...segments({ least: converted('min', '1.8'), greatest: converted('max', '1.9') }),
    ],
    rates: [
      { from: 'EUR', to: 'USD', day: '2026-11-01', rate: '1.1' },
      { from: 'JPY', to: 'USD', day: '2026-11-01', rate: '0.006' },
      usd('11-05', '0.9'),
    ],
    events: [
      dollars('d1', '11-05', '1000'),
      event('d2', 'deposit', '11-05', { amount: '1000', currency: 'JPY' }, { contractVersion: 2 }),
      dollars('d3', '11-06', '2'),
      dollars('d4', '11-07', '3'),
    ],
    owed: { task: [owes('g1:once', '11-06', 'd3')] },
    members: {
      least: [
        [at('11-05'), false],
        [at('11-06'), true],
      ],
      greatest: [
        [at('11-06'), false],
        [at('11-07'), true],
      ],
    },
  }),

  example('14: amounts of a link are converted day by day, and steps are those of the converted sum', {
    definitions: [
      task({ goal: converted('sum', '100', 'gte', sinceLink), repeat: { every: '100' }, max_per_user: 50 }),
    ],
    links: [link('10-01', '11-06'), link('11-06', null, 'account-2')],
    rates: [usd('10-31', '1'), usd('11-06', '2')],
    events: [
      dollars('d1', '11-02', '150'),
      dollars('d2', '11-07', '60', { link: link('11-06', null, 'account-2') }),
      dollars('d3', '11-08', '50', { link: link('11-06', null, 'account-2') }),
    ],
    owed: { task: [owes('g1:every:1', '11-02', 'd1'), owes('g1:every:2', '11-08', 'd3', 'account-2')] },
  }),

  example('14: hours of two days have the rates of their days', {
    definitions: segments({ hours: converted('sum', '40', 'gte', { rolling: 'PT2H' }) }),
    rates: [usd('11-03', '1'), usd('11-04', '3')],
    events: [dollars('d1', '11-04 23:30:00', '10'), dollars('d2', '11-05 00:30:00', '10')],
    members: {
      hours: [
        [at('11-05 00:29:59'), false],
        [at('11-05 00:30:00'), true],
        [at('11-05 01:00:00'), false],
      ],
    },
  }),

  example('15: a percentage of converted money is rounded once, and withheld without a rate', {
    definitions: [
      task({ repeat: { per: 'day' }, reward: { ...tenPercent, of: { attribute: 'amount' } } }),
      task(
        {
          goal: { count: deposit, window: lifetime, op: 'gte', value: '3' },
          reward: { ...tenPercent, of: { sum: deposit, attribute: 'amount', window: lifetime } },
        },
        { definitionId: 'sum' },
      ),
    ],
    rates: [usd('11-01', '0.9'), usd('11-04', '0.8')],
    events: [
      dollars('d1', '11-02', '50.05'),
      event('d2', 'deposit', '11-03', { amount: '1000', currency: 'JPY' }, { contractVersion: 2 }),
      event('d3', 'deposit', '11-04', { amount: '10.05', currency: 'EUR' }),
    ],
    owed: {
      task: [
        owes('2026-11-02', '11-02', 'd1', 'account-1', inEuros('4.5')),
        owes('2026-11-03', '11-03', 'd2', 'account-1', { reward: { unpayable: 'amount_absent' } }),
        owes('2026-11-04', '11-04', 'd3', 'account-1', inEuros('1.01')),
      ],
      // A tenth of 45.045 + 10.05
      sum: [owes('g1:once', '11-04', 'd3', 'account-1', inEuros('5.51'))],
    },
  }),
];
