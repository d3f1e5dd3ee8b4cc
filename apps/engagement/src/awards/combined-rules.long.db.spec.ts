import fc from 'fast-check';
import { AppliedTables } from '../../test/applied-tables';
import { wrongAtEnd, wrongInStep } from '../../test/combined-rules';
import { CombinedRun } from '../../test/combined-run';
import { CombinedStep, beginS, users } from '../../test/combined-steps';
import { propertyOptions } from '../../test/property-options';
import { ClawBack, TaskBody } from '../evaluation/definition';

jest.setTimeout(3_600_000);

const dayS = 86_400;
const hourS = 3_600;

const deposits = { event: 'deposit', where: [] } as const;
/** Undone by a check that failed between the one that passed and the deposit. */
const verifiedDeposit: TaskBody['goal'] = {
  all: [
    { count: deposits, window: { task: true }, op: 'gte', value: '1' },
    { latest: 'kyc', where: [{ attribute: 'status', op: 'eq', value: 'passed' }] },
  ],
};
const kinds: readonly Pick<TaskBody, 'goal' | 'repeat'>[] = [
  { goal: { count: deposits, window: { task: true }, op: 'gte', value: '1' }, repeat: { every: '1' } },
  {
    goal: { sum: deposits, attribute: 'amount', window: { task: true }, op: 'gte', value: '2' },
    repeat: { every: '2' },
  },
  { goal: verifiedDeposit, repeat: { per: 'day' } },
  { goal: verifiedDeposit, repeat: { once: true } },
  { goal: { not: { count: deposits, window: { rolling: 'P2D' }, op: 'gte', value: '1' } }, repeat: { per: 'day' } },
];

const clawBack = fc.constantFrom<ClawBack>('none', 'before_confirm', 'always', 'always');
const budget = fc.constantFrom<TaskBody['budget']>(
  undefined,
  { total: '6' },
  { per_day: '3' },
  { total: '9', per_day: '4' },
  { total: '5', per_day: '2' },
);
const reward = fc.constantFrom('1', '2').map((amount) => ({ type: 'points', amount }));

const bodies: fc.Arbitrary<TaskBody> = fc
  .record({
    kind: fc.constantFrom(...kinds),
    max_per_user: fc.constantFrom(1, 2, 3, 5, 50),
    max_per_event: fc.constantFrom(1, 2, 10),
    claw_back: clawBack,
    budget,
    reward,
  })
  .map(({ kind, budget: stated, ...rest }) => ({
    ...{ zone: 'UTC', starts_at: beginS - 3 * dayS },
    ...kind,
    ...rest,
    ...(stated === undefined ? {} : { budget: stated }),
  }));

/** Events often arrive in another order than they happened in. */
const agoS = fc.constantFrom(0, 0, 0, 3, 10, 60, 600, hourS, 6 * hourS, dayS, 2 * dayS);
const user = fc.nat({ max: users.length - 1 });
const changes: fc.Arbitrary<Partial<TaskBody>> = fc.oneof(
  fc.constantFrom(1, 2, 4, 50).map((max_per_user) => ({ max_per_user })),
  reward.map((each) => ({ reward: each })),
  budget.map((each) => ({ budget: each })),
  clawBack.map((each) => ({ claw_back: each })),
);

const step: fc.Arbitrary<CombinedStep> = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.oneof(
      fc.record({
        ...{ does: fc.constant('event' as const), user, name: fc.constant('deposit') },
        value: fc.constantFrom('1', '2', '3', '7', '-1', '-3'),
        agoS,
      }),
      fc.record({
        ...{ does: fc.constant('event' as const), user, name: fc.constant('kyc') },
        value: fc.constantFrom('passed', 'passed', 'failed'),
        agoS,
      }),
    ),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      does: fc.constant('link' as const),
      user,
      account: fc.constantFrom(null, 0, 0, 0, 1, 1, 2),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ does: fc.constant('pass' as const), seconds: fc.integer({ min: 1, max: 20 * hourS }) }),
  },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('settle' as const) }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constantFrom('pause' as const, 'resume' as const) }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('edit' as const), changes }) },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constantFrom('pay' as const, 'pay' as const, 'refuse' as const),
      share: fc.constantFrom(0.3, 1),
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('raise' as const), by: fc.integer({ min: 1, max: 6 }) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant('answer' as const),
      result: fc.constantFrom('confirmed' as const, 'confirmed' as const, 'rejected' as const),
      share: fc.constantFrom(0.3, 1),
    }),
  },
);

describe('caps, holds, budgets, pauses, claw-back, approvers, edits and accounts that move between users', () => {
  let tables: AppliedTables;

  beforeAll(async () => {
    tables = await AppliedTables.create();
  });
  afterAll(() => tables.drop());

  it('follow all rules together', async () => {
    const counts = { reversed: 0, blocked: 0, withheld: 0, held: 0 };
    const given = fc.tuple(bodies, fc.array(step, { minLength: 10, maxLength: 40, size: 'max' }));
    await fc.assert(
      fc.asyncProperty(given, async ([body, steps]) => {
        const run = await CombinedRun.begin(tables, body);
        for (const each of steps) {
          const before = await run.unissuedRows();
          await run.take(each);
          expect(wrongInStep(run, each, before, await run.unissuedRows())).toEqual([]);
        }
        await run.take({ does: 'resume' });
        await run.take({ does: 'pass', seconds: 2 * hourS });
        await run.settle();
        const rows = await run.unissuedRows();
        expect(wrongAtEnd(run, rows)).toEqual([]);
        if (run.published.some(({ kind }) => kind === 'reversed')) counts.reversed++;
        if (rows.some(({ status }) => status === 'blocked')) counts.blocked++;
        if (rows.some(({ status }) => status === 'withheld')) counts.withheld++;
        if (rows.some(({ status }) => status === 'held_by_limit')) counts.held++;
      }),
      propertyOptions(200),
    );
    if (process.env.PODIUM_PATH !== undefined || process.env.PODIUM_RUNS !== undefined) return;
    for (const count of Object.values(counts)) expect(count).toBeGreaterThan(0);
  });
});
