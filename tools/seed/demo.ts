/** The money of deposits: with its currency, so that different ones are never added. */
const money = { currency_attribute: 'currency', currencies: ['EUR', 'USD'], non_negative: true } as const;

/** The demo's contract: what the sandbox partner may send. */
export const demoContract = [
  { name: 'registration', kind: 'one_off', attributes: [] },
  { name: 'email_confirmed', kind: 'one_off', attributes: [] },
  { name: 'kyc_status', kind: 'one_off', attributes: [{ name: 'status', type: 'string' }] },
  {
    name: 'deposit',
    kind: 'repeatable',
    attributes: [
      { name: 'amount', type: 'decimal', ...money },
      { name: 'currency', type: 'currency' },
    ],
  },
  {
    name: 'bet',
    kind: 'repeatable',
    attributes: [
      { name: 'amount', type: 'decimal' },
      { name: 'game', type: 'string' },
    ],
  },
] as const;

/** Deposited at least 100 EUR in the last 30 days, and did not bet in the present hour: a deposit enters it, and a bet leaves it. */
export const demoSegment = {
  name: 'Deposited, not betting',
  condition: {
    all: [
      {
        ...{ sum: { event: 'deposit' }, attribute: 'amount', currency: 'EUR' },
        ...{ window: { rolling: 'P30D' }, op: 'gte', value: '100.00' },
      },
      { not: { count: { event: 'bet' }, window: { rolling: 'PT1H' }, op: 'gte', value: 1 } },
    ],
  },
};

/** One award for each deposit of at least 10 EUR, so that the demo can be repeated. */
export const demoTask = {
  name: 'Deposit bonus',
  goal: {
    count: { event: 'deposit', where: [{ attribute: 'amount', op: 'gte', value: '10', currency: 'EUR' }] },
    window: { lifetime: true },
    op: 'gte',
    value: 1,
  },
  repeat: { every: '1' },
  max_per_user: 100_000,
  reward: { type: 'bonus_money', amount: '5.00', currency: 'EUR' },
};

/** A task with progress to show: each deposit brings the user closer. */
export const demoProgressTask = {
  name: 'Deposits of 5,000 EUR in a month',
  goal: { sum: { event: 'deposit' }, attribute: 'amount', currency: 'EUR', op: 'gte', value: '5000' },
  repeat: { per: 'month' },
  max_per_user: 120,
  reward: { type: 'points', amount: '500' },
};

/** The event that completes the demo task, and with which the user enters the segment. */
export const demoEvent = {
  name: 'deposit',
  attributes: [
    { name: 'amount', value: '100.00' },
    { name: 'currency', value: 'EUR' },
  ],
} as const;

/** The event with which the user leaves the segment. */
export const demoLeavingEvent = {
  name: 'bet',
  attributes: [
    { name: 'amount', value: '20.00' },
    { name: 'game', value: 'cs2' },
  ],
} as const;
