import fc from 'fast-check';
import { AppliedTables } from '../../test/applied-tables';
import { Kill, KilledProcess } from '../../test/killed-process';
import { afterAll as endOf, world } from '../../test/oracle/generate-world';
import { propertyOptions } from '../../test/property-options';
import { Arrival, ownWorld, wrongIn } from '../../test/world-run';

jest.setTimeout(3_600_000);

const worlds = 20;

const arrivals: fc.Arbitrary<Arrival> = fc.record({
  delaysS: fc.array(fc.constantFrom(0, 0, 3_600, 6 * 86_400), { minLength: 1, maxLength: 5 }),
  batchSizes: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 4 }),
  paused: fc.array(fc.constantFrom(false, false, true), { minLength: 1, maxLength: 4 }),
  failsAt: fc.constant([null]),
  ratesAtStep: fc.nat({ max: 8 }),
});

const kills: fc.Arbitrary<Kill[]> = fc.array(
  fc.record({ step: fc.nat({ max: 12 }), afterMs: fc.integer({ min: 0, max: 12 }) }),
  { minLength: 1, maxLength: 2 },
);

describe('random worlds in processes that are killed', () => {
  let tables: AppliedTables;
  let next: Promise<KilledProcess>;

  beforeAll(async () => {
    tables = await AppliedTables.create();
    next = KilledProcess.start(tables.databaseUrl);
  });
  afterAll(async () => {
    await (await next).stop();
    await tables.drop();
  });

  it('have the members and issue the awards of a naive recomputation, continued by fresh processes', async () => {
    let killed = 0;
    const given = fc.tuple(world({ maxEvents: 30 }), arrivals, kills);
    await fc.assert(
      fc.asyncProperty(given, async ([random, arrival, planned]) => {
        const made = ownWorld(random);
        const nowS = endOf(made);
        await tables.clear();
        for (const kill of [...planned, undefined]) {
          const end = await (await next).run({ made, arrival, nowS }, kill);
          if (end === 'done') break;
          killed++;
          next = KilledProcess.start(tables.databaseUrl);
        }
        expect(await wrongIn(tables, made, nowS)).toEqual([]);
      }),
      propertyOptions(worlds),
    );
    if (process.env.PODIUM_RUNS === undefined) expect(killed).toBeGreaterThanOrEqual(worlds / 2);
  });
});
