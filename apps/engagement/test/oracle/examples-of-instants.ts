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
  sinceLink,
  task,
  taskWindow,
} from './example-parts';

const everyDeposit = { goal: atLeast(1), repeat: { every: '1' }, max_per_user: 50 };

/** Readings 1 to 4: instants, `every`, windows, generations. */
export const examplesOfInstants: readonly Example[] = [
  example('1: an instant sees all events of its second', {
    definitions: [
      task({ goal: { count: login, window: taskWindow, op: 'eq', value: '1' } }, { definitionId: 'one' }),
      task({ goal: { count: login, window: taskWindow, op: 'eq', value: '2' } }, { definitionId: 'two' }),
    ],
    events: [event('b', 'login', '11-05 10:00:00'), event('a', 'login', '11-05 10:00:00')],
    owed: { one: [], two: [owes('g1:once', '11-05 10:00:00', 'b')] },
  }),
  example('1: a goal that holds without an event pays at the start of every period', {
    definitions: [task({ goal: { not: atLeast(1) }, repeat: { per: 'day' }, ends_at: at('11-04') })],
    events: deposits('11-02 00:00:00', '11-03 12:00:00'),
    // On 2 November the deposit lies in the first second of the day.
    owed: { task: [owes('2026-11-01', '11-01', null), owes('2026-11-03', '11-03', null)] },
  }),
  example('1: an event ahead of its receipt takes effect when it happens', {
    definitions: [task({}), segment({})],
    events: [event('d1', 'deposit', '11-05 10:00:00', {}, { receivedAt: '11-05 08:00:00' })],
    owed: { task: [owes('g1:once', '11-05 10:00:00', 'd1')] },
    members: {
      segment: [
        [at('11-05 09:59:59'), false],
        [at('11-05 10:00:00'), true],
      ],
    },
  }),
  example('1: time moves what a window of days and one of hours counts', {
    definitions: [
      segment({ condition: atLeast(1, deposit, { rolling: 'P2D' }) }, { definitionId: 'days' }),
      segment({ condition: atLeast(1, deposit, { rolling: 'PT2H' }) }, { definitionId: 'hours' }),
      task({ goal: { all: [{ not: atLeast(1, deposit, { rolling: 'P2D' }) }, atLeast(1)] } }),
    ],
    events: deposits('11-05 10:30:00'),
    owed: { task: [owes('g1:once', '11-07', null)] },
    members: {
      days: [
        [at('11-05 10:29:59'), false],
        [at('11-05 10:30:00'), true],
        [at('11-06 23:59:59'), true],
        [at('11-07'), false],
      ],
      hours: [
        [at('11-05 11:59:59'), true],
        [at('11-05 12:00:00'), false],
      ],
    },
  }),

  example('2: what was counted before the dates is not passed', {
    definitions: [task({ goal: atLeast(2, deposit, lifetime), repeat: { every: '2' }, max_per_user: 50 })],
    events: deposits('10-10', '10-11', '10-31 23:59:59', '11-02', '11-03', '11-04'),
    owed: { task: [owes('g1:every:2', '11-02', 'd4'), owes('g1:every:3', '11-04', 'd6')] },
  }),
  example('2: an event from before the dates belongs to the value before, whenever it was received', {
    definitions: [task({ ...everyDeposit, goal: atLeast(1, deposit, lifetime) })],
    events: [
      event('d1', 'deposit', '10-10'),
      event('d2', 'deposit', '10-11', {}, { receivedAt: '11-10' }),
      event('d3', 'deposit', '10-12', {}, { receivedAt: '12-20' }),
      event('d4', 'deposit', '11-02'),
    ],
    owed: { task: [owes('g1:every:4', '11-02', 'd4')] },
  }),
  example('2: a value that falls passes a step again, and is owed if the user is eligible then', {
    definitions: [
      segment({ condition: atLeast(1, login, lifetime) }),
      task({
        goal: { sum: deposit, attribute: 'score', window: taskWindow, op: 'gte', value: '10' },
        repeat: { every: '10' },
        max_per_user: 50,
        eligible: 'segment',
      }),
    ],
    events: [
      event('d1', 'deposit', '11-02', { score: '10' }),
      event('d2', 'deposit', '11-03', { score: '-5' }),
      event('l1', 'login', '11-04'),
      event('d3', 'deposit', '11-05', { score: '5' }),
    ],
    owed: { task: [owes('g1:every:1', '11-05', 'd3')] },
  }),
  example('2: what lay at or below the value before the dates is not owed when it is passed again', {
    definitions: [
      task({
        goal: { sum: deposit, attribute: 'score', window: lifetime, op: 'gte', value: '10' },
        repeat: { every: '10' },
        max_per_user: 50,
      }),
    ],
    events: [
      event('d1', 'deposit', '10-10', { score: '20' }),
      event('d2', 'deposit', '11-02', { score: '-15' }),
      event('d3', 'deposit', '11-03', { score: '10' }),
      event('d4', 'deposit', '11-04', { score: '20' }),
    ],
    owed: { task: [owes('g1:every:3', '11-04', 'd4')] },
  }),
  example("2: over since link, a partner's initial load passes nothing, late or not", {
    definitions: [task({ ...everyDeposit, goal: atLeast(1, deposit, sinceLink) })],
    links: [link('12-20 12:00:00')],
    events: [
      event('d1', 'deposit', '11-02', {}, { link: link('12-20 12:00:00'), receivedAt: '12-21' }),
      event('d2', 'deposit', '12-19', {}, { link: link('12-20 12:00:00'), receivedAt: '12-21' }),
      event('d3', 'deposit', '12-22', {}, { link: link('12-20 12:00:00') }),
    ],
    owed: { task: [owes('g1:every:3', '12-22', 'd3')] },
  }),
  example('2: one event passes several steps', {
    definitions: [
      task({
        goal: { sum: deposit, attribute: 'amount', currency: 'EUR', window: taskWindow, op: 'gte', value: '5' },
        repeat: { every: '10' },
        max_per_user: 50,
      }),
    ],
    events: [
      event('d1', 'deposit', '11-02', { amount: '4.999999999', currency: 'EUR' }),
      event('d2', 'deposit', '11-03', { amount: '20.000000001', currency: 'EUR' }),
    ],
    owed: { task: [1, 2, 3].map((n) => owes(`g1:every:${n}`, '11-03', 'd2')) },
  }),
  example('2: once over lifetime pays whoever has it already', {
    definitions: [task({ goal: atLeast(1, deposit, lifetime) })],
    events: deposits('10-20'),
    owed: { task: [owes('g1:once', '11-01', null)] },
  }),

  example('3: periods are of the zone', {
    definitions: [task({ repeat: { per: 'day' }, zone: 'Europe/Riga' })],
    events: deposits('11-04 21:59:59', '11-04 22:00:00'),
    owed: { task: [owes('2026-11-04', '11-04 21:59:59', 'd1'), owes('2026-11-05', '11-04 22:00:00', 'd2')] },
  }),
  example('3: names of weeks and months', {
    definitions: [
      task({ repeat: { per: 'week' } }, { definitionId: 'weeks' }),
      task({ repeat: { per: 'month' } }, { definitionId: 'months' }),
    ],
    events: deposits('11-05', '2027-01-01', '2027-01-04'),
    nowS: at('2027-02-01'),
    owed: {
      weeks: [
        owes('2026-W45', '11-05', 'd1'),
        owes('2026-W53', '2027-01-01', 'd2'),
        owes('2027-W01', '2027-01-04', 'd3'),
      ],
      months: [owes('2026-11', '11-05', 'd1'), owes('2027-01', '2027-01-01', 'd2')],
    },
  }),
  example('3: ends_at is the first second outside', {
    definitions: [
      task({ goal: atLeast(2), ends_at: at('11-05') }),
      task({ ends_at: at('11-05') }, { definitionId: 'other' }),
    ],
    events: deposits('11-04 23:59:59', '11-05'),
    owed: { task: [], other: [owes('g1:once', '11-04 23:59:59', 'd1')] },
  }),
  example('3: only the task window is cut at the dates', {
    definitions: [
      task({ goal: atLeast(2, deposit, { rolling: 'P3D' }), starts_at: at('11-05') }, { definitionId: 'rolling' }),
      task({ goal: atLeast(2), starts_at: at('11-05') }, { definitionId: 'dates' }),
      task(
        { goal: { sequence: [deposit, deposit], within: 'P7D' }, starts_at: at('11-05') },
        { definitionId: 'steps' },
      ),
      task(
        { goal: { streak: deposit, every: 'day', op: 'gte', value: '2' }, starts_at: at('11-05') },
        { definitionId: 'streak' },
      ),
    ],
    events: deposits('11-04 12:00:00', '11-05 12:00:00'),
    owed: { rolling: [owes('g1:once', '11-05 12:00:00', 'd2')], dates: [], steps: [], streak: [] },
  }),
  example('3: with per, the default window is the period within the dates', {
    definitions: [task({ goal: atLeast(2), repeat: { per: 'month' }, starts_at: at('11-20') })],
    events: deposits('11-19', '11-20', '11-30', '12-01', '12-02'),
    owed: { task: [owes('2026-11', '11-30', 'd3'), owes('2026-12', '12-02', 'd5')] },
  }),
  example('3: a day has 25 hours when clocks change', {
    definitions: [segment({ condition: atLeast(1, deposit, { rolling: 'P1D' }), zone: 'Europe/Riga' })],
    // Half past midnight in Riga on 25 October.
    events: deposits('10-24 21:30:00'),
    members: {
      segment: [
        [at('10-24 21:30:00'), true],
        [at('10-25 21:59:59'), true],
        [at('10-25 22:00:00'), false],
      ],
    },
  }),
  example('3: a period begins with the first midnight when clocks go back over it', {
    definitions: [
      task(
        { goal: atLeast(2), repeat: { per: 'day' }, zone: 'Atlantic/Azores', starts_at: at('10-20') },
        { definitionId: 'days' },
      ),
      task({ goal: atLeast(2), repeat: { per: 'month' }, zone: 'America/Havana' }, { definitionId: 'months' }),
    ],
    // Half past the first midnight on the Azores on 25 October, and in Havana on 1 November.
    events: deposits('10-25 00:30:00', '10-25 12:00:00', '11-01 04:30:00', '11-15 12:00:00'),
    nowS: at('11-16'),
    owed: {
      days: [owes('2026-10-25', '10-25 12:00:00', 'd2')],
      months: [owes('2026-11', '11-15 12:00:00', 'd4')],
    },
  }),
  example('3: bounds of between are half-open', {
    definitions: [
      segment({ condition: { count: deposit, window: { between: [at('11-02'), at('11-04')] }, op: 'eq', value: '2' } }),
    ],
    events: deposits('11-01 23:59:59', '11-02', '11-03', '11-04'),
    members: {
      segment: [
        [at('11-02'), false],
        [at('11-03'), true],
        [at('12-01'), true],
      ],
    },
  }),

  example('4: a generation counts from its in_force_from', {
    definitions: [task([{ body: { goal: atLeast(2) } }, { inForceFrom: '11-10', body: { goal: atLeast(3) } }])],
    events: deposits('11-02', '11-03', '11-11', '11-12', '11-13'),
    owed: {
      task: [
        owes('g1:once', '11-03', 'd2', 'account-1', { version: 1 }),
        owes('g2:once', '11-13', 'd5', 'account-1', { version: 2 }),
      ],
    },
  }),
  example('4: a recounted generation counts from the start of the task, at instants from its in_force_from on', {
    definitions: [
      task([{ body: { goal: atLeast(5) } }, { inForceFrom: '11-10', recount: true, body: { goal: atLeast(3) } }]),
      task([{ body: { goal: atLeast(5) } }, { inForceFrom: '11-10', recount: true, body: { goal: atLeast(2) } }], {
        definitionId: 'reached',
      }),
      task(
        [
          { body: { goal: atLeast(2), repeat: { per: 'month' } } },
          { inForceFrom: '11-10', recount: true, body: { goal: atLeast(1), repeat: { per: 'month' } } },
        ],
        { definitionId: 'month' },
      ),
    ],
    events: deposits('11-02', '11-03', '11-11'),
    owed: {
      task: [owes('g2:once', '11-11', 'd3', 'account-1', { version: 2 })],
      reached: [owes('g2:once', '11-10', null, 'account-1', { version: 2 })],
      month: [owes('2026-11', '11-03', 'd2')],
    },
  }),
  example('4: a period is paid once over all generations', {
    definitions: [
      task([
        { body: { goal: atLeast(1), repeat: { per: 'month' } } },
        { inForceFrom: '11-10', body: { goal: atLeast(2), repeat: { per: 'month' } } },
      ]),
    ],
    events: deposits('11-02', '11-11', '11-12', '12-01', '12-02'),
    owed: { task: [owes('2026-11', '11-02', 'd1'), owes('2026-12', '12-02', 'd5')] },
  }),
  example('4: in the gap of a moved ends_at nothing is reached though its events count', {
    definitions: [
      task([
        { body: { ...everyDeposit, ends_at: at('11-05') } },
        {
          generation: 1,
          inForceFrom: '11-10',
          body: { ...everyDeposit, ends_at: at('11-20'), reward: { type: 'points', amount: '2' } },
        },
      ]),
    ],
    events: deposits('11-02', '11-07', '11-12'),
    owed: {
      task: [
        owes('g1:every:1', '11-02', 'd1', 'account-1', { version: 1, reward: { type: 'points', amount: '1' } }),
        owes('g1:every:3', '11-12', 'd3', 'account-1', { version: 2, reward: { type: 'points', amount: '2' } }),
      ],
    },
  }),
  example('4: the first version covers all that was before it', {
    definitions: [task({ starts_at: at('10-20') })],
    events: deposits('10-19', '10-25'),
    owed: { task: [owes('g1:once', '10-25', 'd2', 'account-1', { version: 1 })] },
  }),
  example('4: receipts after a task has closed do not count', {
    definitions: [task({ ...everyDeposit, goal: atLeast(1, deposit, lifetime), ends_at: at('11-10') })],
    events: [
      event('d1', 'deposit', '10-10', {}, { receivedAt: '12-14 23:59:59' }),
      event('d2', 'deposit', '10-11', {}, { receivedAt: '12-15' }),
      event('d3', 'deposit', '11-02'),
    ],
    owed: { task: [owes('g1:every:2', '11-02', 'd3')] },
  }),
  example('4: nothing is reached from the end by hand on', {
    definitions: [task({ ...everyDeposit }, { endedAt: at('11-05') })],
    events: deposits('11-04 23:59:59', '11-05'),
    owed: { task: [owes('g1:every:1', '11-04 23:59:59', 'd1')] },
  }),
];
