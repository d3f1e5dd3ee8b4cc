import fc from 'fast-check';
import { AppliedTables } from '../../test/applied-tables';
import { drawnWorlds } from '../../test/combined-draws';
import { type Happening, happenings } from '../../test/combined-happenings';
import { CombinedWorld } from '../../test/combined-world';
import { propertyOptions } from '../../test/property-options';

jest.setTimeout(3_600_000);

/** Also during backfills, approvals of rates, erasures, late links and closes, for tasks of two organizers. */
describe('caps, holds, budgets, pauses, claw-back, approvers, edits and accounts that move between users', () => {
  let tables: AppliedTables;

  beforeAll(async () => {
    tables = await AppliedTables.create();
  });
  afterAll(() => tables.drop());

  it('follow all rules together', async () => {
    const counts = new Map<Happening, number>(happenings.map((each) => [each, 0]));
    await fc.assert(
      fc.asyncProperty(drawnWorlds, async ({ bodies, steps, linkLagS }) => {
        const world = await CombinedWorld.begin(tables, bodies, linkLagS);
        for (const each of steps) expect(await world.take(each)).toEqual([]);
        expect(await world.end()).toEqual([]);
        for (const each of world.seen) counts.set(each, counts.get(each)! + 1);
      }),
      propertyOptions(50),
    );
    if (process.env.PODIUM_PATH !== undefined || process.env.PODIUM_RUNS !== undefined) return;
    expect([...counts].filter(([, count]) => count === 0)).toEqual([]);
  });
});
