import fc from 'fast-check';
import type { TaskBody, TaskDefinition } from '../src/evaluation/definition';

const hourS = 3_600;

const money = { type: 'decimal', currencyAttribute: 'currency', currencies: { EUR: 1, USD: 1 } } as const;
/** Of the attributes of all events. */
export const specs: TaskDefinition['specs'] = {
  deposit: { amount: { type: 'decimal' } },
  payment: { amount: money, currency: { type: 'currency' } },
  kyc: { status: { type: 'string' } },
};

export interface DrawnEvent {
  readonly name: string;
  readonly value: string;
}

/** An event, so many seconds before it is received, or before the end of the task. */
export interface TimedEvent extends DrawnEvent {
  readonly agoS: number;
}

/** What a task counts, and the events that matter to it. */
export interface Kind {
  readonly part: Pick<TaskBody, 'goal' | 'repeat'> & Partial<TaskBody>;
  readonly events: fc.Arbitrary<DrawnEvent>;
  /** What reaches it; nothing where time does. */
  readonly reaching: readonly TimedEvent[];
  /** What undoes that, or what time has reached, if it is received later; nothing where nothing can. */
  readonly undoing: readonly TimedEvent[];
}

const eventOf = (name: string, ...values: string[]): fc.Arbitrary<DrawnEvent> =>
  fc.constantFrom(...values).map((value) => ({ name, value }));
export const anyDeposit = eventOf('deposit', '1', '2', '3', '7', '-1', '-3');
export const anyCheck = eventOf('kyc', 'passed', 'failed');
const anyPayment = eventOf('payment', '1', '2', '4', '8', '-2');

const deposits = { event: 'deposit', where: [] } as const;
const counts: Kind = {
  part: { goal: { count: deposits, window: { task: true }, op: 'gte', value: '1' }, repeat: { every: '1' } },
  events: anyDeposit,
  reaching: [{ name: 'deposit', value: '1', agoS: 10 }],
  undoing: [],
};
const sums: Kind = {
  part: {
    goal: { sum: deposits, attribute: 'amount', window: { task: true }, op: 'gte', value: '2' },
    repeat: { every: '2' },
  },
  events: anyDeposit,
  reaching: [{ name: 'deposit', value: '3', agoS: 10 }],
  undoing: [{ name: 'deposit', value: '-3', agoS: 120 }],
};
const verified: Omit<Kind, 'part'> & { readonly goal: TaskBody['goal'] } = {
  goal: {
    all: [
      { count: deposits, window: { task: true }, op: 'gte', value: '1' },
      { latest: 'kyc', where: [{ attribute: 'status', op: 'eq', value: 'passed' }] },
    ],
  },
  events: fc.oneof(anyDeposit, anyCheck),
  reaching: [
    { name: 'kyc', value: 'passed', agoS: 600 },
    { name: 'deposit', value: '1', agoS: 10 },
  ],
  undoing: [{ name: 'kyc', value: 'failed', agoS: 240 }],
};
const notDeposited: Kind = {
  part: {
    goal: { not: { count: deposits, window: { rolling: 'P2D' }, op: 'gte', value: '1' } },
    repeat: { per: 'day' },
  },
  events: anyDeposit,
  reaching: [],
  undoing: [{ name: 'deposit', value: '1', agoS: 30 * hourS }],
};
const payments = { event: 'payment', where: [] } as const;
const converted: Kind = {
  part: {
    goal: { sum: payments, attribute: 'amount', convert_to: 'EUR', window: { task: true }, op: 'gte', value: '2' },
    repeat: { every: '2' },
  },
  events: anyPayment,
  reaching: [{ name: 'payment', value: '4', agoS: 10 }],
  undoing: [{ name: 'payment', value: '-8', agoS: 120 }],
};
const half = { type: 'money', percent: '50', of: { attribute: 'amount' }, convert_to: 'EUR' } as const;

export const kinds: readonly Kind[] = [
  counts,
  sums,
  sums,
  { ...verified, part: { goal: verified.goal, repeat: { per: 'day' } } },
  { ...verified, part: { goal: verified.goal, repeat: { once: true } } },
  notDeposited,
  notDeposited,
  converted,
  { ...converted, part: { ...converted.part, reward: half } },
];
