import fc from 'fast-check';
import { AppliedTables } from '../../test/applied-tables';
import { failpoints } from '../../test/failpoints';
import { afterAll as endOf, world } from '../../test/oracle/generate-world';
import { propertyOptions } from '../../test/property-options';
import { Arrival, ownWorld, runWorld, wrongIn } from '../../test/world-run';

jest.setTimeout(3_600_000);

const dayS = 86_400;

/** Events are applied at most six days after their receipt, within the slack that histories are condensed with. */
const arrivals: fc.Arbitrary<Arrival> = fc.record({
  delaysS: fc.array(fc.constantFrom(0, 0, 1, 3600, 2 * dayS, 6 * dayS), { minLength: 1, maxLength: 7 }),
  batchSizes: fc.array(fc.integer({ min: 1, max: 8 }), { minLength: 1, maxLength: 4 }),
  paused: fc.array(fc.constantFrom(false, false, false, true), { minLength: 1, maxLength: 5 }),
  // Few transactions write these: each world waits for one.
  failsAt: fc
    .array(fc.constantFrom(null, null, ...failpoints), { minLength: 2, maxLength: 7 })
    .map((tables) => ['awards', 'memberships', 'due_times', 'outbox', ...tables]),
  ratesAtStep: fc.nat({ max: 8 }),
});

describe('random worlds on Postgres', () => {
  let tables: AppliedTables;

  beforeAll(async () => {
    tables = await AppliedTables.create();
  });
  afterAll(() => tables.drop());

  it('have the members and issue the awards of a naive recomputation, in any order and cut, with aborts and pauses', async () => {
    const given = fc.tuple(world({ maxEvents: 30 }), arrivals);
    const abortedAt = new Set<string>();
    await fc.assert(
      fc.asyncProperty(given, async ([made, arrival]) => {
        const own = ownWorld(made);
        const nowS = endOf(own);
        for (const table of await runWorld(tables, own, arrival, nowS)) abortedAt.add(table);
        expect(await wrongIn(tables, own, nowS)).toEqual([]);
      }),
      propertyOptions(100),
    );
    if (process.env.PODIUM_PATH !== undefined || process.env.PODIUM_RUNS !== undefined) return;
    expect([...abortedAt].sort()).toEqual([...failpoints].sort());
  });
});
