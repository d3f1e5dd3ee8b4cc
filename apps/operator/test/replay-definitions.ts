import * as fc from 'fast-check';
import { SegmentBody, TaskBody } from '../../engagement/test/applying-events';

export const nowS = Math.floor(Date.now() / 1000);
export const linkedAt = nowS - 40 * 86_400;
export const users = Array.from({ length: 8 }, (_, index) => `user-${index}`);

export const types = { deposit: { amount: 'decimal' }, kyc: { status: 'string' } } as const;
const reward = { type: 'points', amount: '1' };
export const tasks: Record<string, TaskBody> = {
  '00000000-0000-4000-8000-000000000001': {
    goal: { count: { event: 'deposit' }, window: { lifetime: true }, op: 'gte', value: 1 },
    repeat: { every: 1 },
    reward,
  },
  '00000000-0000-4000-8000-000000000002': {
    goal: { sum: { event: 'deposit' }, attribute: 'amount', window: { rolling: 'P7D' }, op: 'gte', value: '100' },
    repeat: { once: true },
    reward,
  },
};
export const segments: Record<string, SegmentBody> = {
  '00000000-0000-4000-8000-000000000003': {
    condition: { count: { event: 'deposit' }, window: { lifetime: true }, op: 'gte', value: 3 },
  },
  '00000000-0000-4000-8000-000000000004': {
    condition: { not: { count: { event: 'bet' }, window: { rolling: 'P30D' }, op: 'gte', value: 1 } },
  },
  '00000000-0000-4000-8000-000000000005': {
    condition: { latest: 'kyc', where: [{ attribute: 'status', op: 'eq', value: 'passed' }] },
  },
};
export const [everyDeposit] = Object.keys(tasks);
export const endedTask = '00000000-0000-4000-8000-000000000009';

/** Few users, names and instants, so that ties are common; not near the boundary of a window, which moves with time. */
export const anyEvent = fc.record({
  userId: fc.constantFrom(...users.slice(0, 6)),
  name: fc.constantFrom('deposit', 'deposit', 'kyc', 'bet'),
  createdAt: fc.oneof(
    fc.integer({ min: nowS - 50, max: nowS }),
    fc.integer({ min: nowS - 5 * 86_400, max: nowS }),
    fc.integer({ min: nowS - 28 * 86_400, max: nowS }),
  ),
  amount: fc.constantFrom('0.1', '12.50', '33.333', 'many'),
  status: fc.constantFrom('passed', 'failed'),
});
