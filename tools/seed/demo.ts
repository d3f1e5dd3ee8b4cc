/** The demo's contract: what the sandbox partner may send. */
export const demoContract = [
  { name: 'registration', kind: 'one_off', attributes: [] },
  { name: 'email_confirmed', kind: 'one_off', attributes: [] },
  { name: 'kyc_status', kind: 'one_off', attributes: [{ name: 'status', type: 'string' }] },
  {
    name: 'deposit',
    kind: 'repeatable',
    attributes: [
      { name: 'amount', type: 'decimal' },
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

/** Deposited at least 500 in the last 30 days. */
export const demoSegment = {
  name: 'Depositors of the last 30 days',
  condition: {
    sum: { event: 'deposit' },
    attribute: 'amount',
    window: { rolling: 'P30D' },
    op: 'gte',
    value: '500.00',
  },
};

/** One award for each deposit of at least 10, so that the demo can be repeated. */
export const demoTask = {
  name: 'Deposit bonus',
  goal: {
    count: { event: 'deposit', where: [{ attribute: 'amount', op: 'gte', value: '10' }] },
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
  name: 'Deposits of 5,000 in a month',
  goal: { sum: { event: 'deposit' }, attribute: 'amount', op: 'gte', value: '5000' },
  repeat: { per: 'month' },
  max_per_user: 120,
  reward: { type: 'points', amount: '500' },
};

/** The event that completes the demo task. */
export const demoEvent = {
  name: 'deposit',
  attributes: [
    { name: 'amount', value: '100.00' },
    { name: 'currency', value: 'EUR' },
  ],
} as const;
