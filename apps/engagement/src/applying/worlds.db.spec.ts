import fc from 'fast-check';
import { AppliedTables } from '../../test/applied-tables';
import { failpoints } from '../../test/failpoints';
import { OracleOwed, World, memberAt, owedOf } from '../../test/oracle';
import { afterAll as endOf, world } from '../../test/oracle/generate-world';
import { propertyOptions } from '../../test/property-options';
import { Arrival, ownWorld, runWorld } from '../../test/world-run';
import { TaskDefinition } from '../evaluation/definition';
import { capOf, closesAt } from '../awards/task-finding';

jest.setTimeout(3_600_000);

const dayS = 86_400;
const limit = 200;

/** Events are applied at most six days after their receipt, within the slack that histories are condensed with. */
const arrivals: fc.Arbitrary<Arrival> = fc.record({
  delaysS: fc.array(fc.constantFrom(0, 0, 1, 3600, 2 * dayS, 6 * dayS), { minLength: 1, maxLength: 7 }),
  batchSizes: fc.array(fc.integer({ min: 1, max: 8 }), { minLength: 1, maxLength: 4 }),
  paused: fc.array(fc.constantFrom(false, false, false, true), { minLength: 1, maxLength: 5 }),
  failsAt: fc.array(fc.constantFrom(null, null, ...failpoints), { minLength: 1, maxLength: 5 }),
});

describe('random worlds on Postgres', () => {
  let tables: AppliedTables;

  beforeAll(async () => {
    tables = await AppliedTables.create();
  });
  afterAll(() => tables.drop());

  it('have the members and issue the awards of a naive recomputation, in any order and cut, with aborts and pauses', async () => {
    const given = fc.tuple(world({ maxEvents: 30 }), arrivals);
    await fc.assert(
      fc.asyncProperty(given, async ([made, arrival]) => {
        const own = ownWorld(made);
        const nowS = endOf(own);
        await runWorld(tables, own, arrival, nowS);
        for (const definition of own.definitions)
          if (definition.kind === 'task') await compareTask(own, definition, nowS);
          else {
            const member = (await tables.members(definition)).length > 0;
            expect([definition.definitionId, member]).toEqual([
              definition.definitionId,
              memberAt(own, definition, nowS),
            ]);
          }
      }),
      propertyOptions(100),
    );
  });

  async function compareTask(own: World, task: TaskDefinition, nowS: number): Promise<void> {
    const owed = owedOf(own, task, nowS, { limit });
    if (owed.length === limit) return;
    const clawBack = task.versions.map(({ body }) => body.claw_back);
    const { rows: issued } = await tables.pool.query<{ occurrence: string }>(
      `SELECT occurrence FROM engagement.awards WHERE task_id = $1 AND NOT reversed`,
      [task.definitionId],
    );
    const { rows: kept } = await tables.pool.query<{ series: string; first: number; last: number; status: string }>(
      `SELECT series, first, last, status FROM engagement.unissued_awards WHERE task_id = $1`,
      [task.definitionId],
    );
    const occurrences = new Set(owed.map(({ occurrence }) => occurrence));
    const held = kept.filter(({ status }) => status === 'held_by_limit' || status === 'withheld');
    const heldCount = held.reduce((sum, { first, last }) => sum + last - first + 1, 0);
    const state = { owed, issued, kept };
    if (!clawBack.includes('none'))
      expect({ state, wrong: issued.filter(({ occurrence }) => !occurrences.has(occurrence)) }).toEqual({
        state,
        wrong: [],
      });
    expect({ state, paused: kept.filter(({ status }) => status === 'held_by_pause') }).toEqual({ state, paused: [] });
    const payable = owed.filter((each) => isPayable(own, task, each, nowS)).length;
    const expected = Math.min(capOf(task), payable);
    const found = issued.length + heldCount;
    expect({ state, isAtLeast: found >= expected }).toEqual({ state, isAtLeast: true });
    if (!clawBack.includes('none')) expect({ state, found }).toEqual({ state, found: expected });
  }
});

/** Whether somebody can be paid: the account that decides, or that of a later link. */
function isPayable({ links }: World, task: TaskDefinition, { account, reachedAt }: OracleOwed, nowS: number): boolean {
  const until = Math.min(closesAt(task), nowS);
  return account !== null || links.some(({ linkedAt }) => linkedAt > reachedAt && linkedAt <= until);
}
