import fc from 'fast-check';
import { AppliedTables } from '../../test/applied-tables';
import { KilledProcess } from '../../test/killed-process';
import { afterAll as endOf, share, world } from '../../test/oracle/generate-world';
import { propertyOptions } from '../../test/property-options';
import { Arrival, countSteps, ownWorld, wrongIn } from '../../test/world-run';

jest.setTimeout(3_600_000);

const worlds = 20;

const arrivals: fc.Arbitrary<Arrival> = fc.record({
  delaysS: fc.array(fc.constantFrom(0, 0, 3_600, 6 * 86_400), { minLength: 1, maxLength: 5 }),
  batchSizes: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 4 }),
  paused: fc.array(fc.constantFrom(false, false, true), { minLength: 1, maxLength: 4 }),
  failsAt: fc.constant([null]),
  ratesAtStep: fc.nat({ max: 8 }),
});

/** At a share of the steps, because many worlds have few: a kill after the last one strikes nothing. */
const kill = fc.record({ at: share, afterMs: fc.integer({ min: 0, max: 12 }) });
const kills = fc.oneof({ weight: 4, arbitrary: fc.tuple(kill) }, { weight: 1, arbitrary: fc.tuple(kill, kill) });

describe('random worlds in processes that are killed', () => {
  let tables: AppliedTables;
  /** The one that continues, and one that starts meanwhile: a start takes longer than a world. */
  let processes: Promise<KilledProcess>[];
  const start = (): void => void processes.push(KilledProcess.start(tables.databaseUrl));

  beforeAll(async () => {
    tables = await AppliedTables.create();
    processes = [];
    start();
    start();
  });
  afterAll(async () => {
    for (const each of processes) await (await each).stop();
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
        const steps = countSteps(made, arrival, nowS);
        for (const each of [...planned, undefined]) {
          const strike = each && { step: Math.floor(each.at * (steps - 1)), afterMs: each.afterMs };
          const end = await (await processes[0]).run({ made, arrival, nowS }, strike);
          if (end === 'done') break;
          killed++;
          void processes.shift();
          start();
        }
        expect(await wrongIn(tables, made, nowS)).toEqual([]);
      }),
      propertyOptions(worlds),
    );
    if (process.env.PODIUM_RUNS === undefined) expect(killed).toBeGreaterThanOrEqual(worlds / 2);
  });
});
