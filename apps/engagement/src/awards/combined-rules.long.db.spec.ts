import fc from 'fast-check';
import { AppliedTables } from '../../test/applied-tables';
import { drawnWorlds } from '../../test/combined-draws';
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
    const counts = { reversed: 0, blocked: 0, withheld: 0, held: 0, closed: 0, erased: 0 };
    await fc.assert(
      fc.asyncProperty(drawnWorlds, async ({ bodies, steps, linkLagS }) => {
        const world = await CombinedWorld.begin(tables, bodies, linkLagS);
        for (const each of steps) expect(await world.take(each)).toEqual([]);
        expect(await world.end()).toEqual([]);
        const { runs, seen } = world;
        if (runs.some(({ published }) => published.some(({ kind }) => kind === 'reversed'))) counts.reversed++;
        if (runs.some(({ published }) => published.some(({ isErased }) => isErased))) counts.erased++;
        if (runs.some(({ closesAt, nowS }) => closesAt <= nowS)) counts.closed++;
        if (seen.has('blocked')) counts.blocked++;
        if (seen.has('withheld')) counts.withheld++;
        if (seen.has('held_by_limit')) counts.held++;
      }),
      propertyOptions(50),
    );
    if (process.env.PODIUM_PATH !== undefined || process.env.PODIUM_RUNS !== undefined) return;
    for (const count of Object.values(counts)) expect(count).toBeGreaterThan(0);
  });
});
