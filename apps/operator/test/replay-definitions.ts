import * as fc from 'fast-check';
import { EngineDefinition, SegmentBody, TaskBody } from '../../engagement/test/applying-events';

export const nowS = Math.floor(Date.now() / 1000);
export const linkedAt = nowS - 40 * 86_400;
export const users = Array.from({ length: 8 }, (_, index) => `user-${index}`);

export const types = { deposit: { amount: 'decimal' }, kyc: { status: 'string' } } as const;
const deposits = { event: 'deposit', where: [] } as const;
const task = {
  ...({ zone: 'UTC', starts_at: 0, claw_back: 'none', max_per_event: 1_000, max_per_user: 1_000 } as const),

  reward: { type: 'points', amount: '1' },
} as const;
export const tasks: Record<string, TaskBody> = {
  '00000000-0000-4000-8000-000000000001': {
    ...task,
    goal: { count: deposits, window: { lifetime: true }, op: 'gte', value: '1' },
    repeat: { every: '1' },
  },
  '00000000-0000-4000-8000-000000000002': {
    ...task,
    goal: { sum: deposits, attribute: 'amount', window: { rolling: 'P7D' }, op: 'gte', value: '100' },
    repeat: { once: true },
  },
};
export const segments: Record<string, SegmentBody> = {
  '00000000-0000-4000-8000-000000000003': {
    condition: { count: deposits, window: { lifetime: true }, op: 'gte', value: '3' },
    zone: 'UTC',
  },
  '00000000-0000-4000-8000-000000000004': {
    condition: { not: { count: { event: 'bet', where: [] }, window: { rolling: 'P30D' }, op: 'gte', value: '1' } },
    zone: 'UTC',
  },
  '00000000-0000-4000-8000-000000000005': {
    condition: { latest: 'kyc', where: [{ attribute: 'status', op: 'eq', value: 'passed' }] },
    zone: 'UTC',
  },
};
const specs = { deposit: { amount: { type: 'decimal' } }, kyc: { status: { type: 'string' } } } as const;
const common = { platform: 'acme', organizerId: 'organizer-1', paused: false, endedAt: null, specs } as const;
const version = { version: 1, generation: 1, inForceFrom: 0 };

/** The definitions as the engine has them. */
export const replayDefinitions: readonly EngineDefinition[] = [
  ...Object.entries(tasks).map(([definitionId, body]): EngineDefinition => ({
    ...{ ...common, definitionId, kind: 'task' },
    versions: [{ ...version, body }],
  })),
  ...Object.entries(segments).map(([definitionId, body]): EngineDefinition => ({
    ...{ ...common, definitionId, kind: 'segment' },
    versions: [{ ...version, body }],
  })),
];
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
