import fc from 'fast-check';
import { AppliedTables } from '../../test/applied-tables';
import { World, capOf } from '../../test/oracle';
import { afterAll as endOf, world } from '../../test/oracle/generate-world';
import { propertyOptions } from '../../test/property-options';
import { taskOnDates } from '../../test/task-on-dates';
import { orderTrial, runTrial, trialAwards } from '../../test/trial-run';
import { Arrival, ownWorld, runWorld } from '../../test/world-run';
import { SegmentDefinition, TaskBody, TaskDefinition } from '../evaluation/definition';

jest.setTimeout(1_800_000);

const dayS = 86_400;

/** One transaction for the events of a receipt, each applied at once. */
const atOnce: Arrival = { delaysS: [0], batchSizes: [1], paused: [false], failsAt: [null], ratesAtStep: 0 };

const arrivals: fc.Arbitrary<Arrival> = fc.record({
  delaysS: fc.array(fc.constantFrom(0, 0, 3600, 2 * dayS), { minLength: 1, maxLength: 5 }),
  batchSizes: fc.array(fc.integer({ min: 1, max: 8 }), { minLength: 1, maxLength: 4 }),
  paused: fc.array(fc.constantFrom(false, false, true), { minLength: 1, maxLength: 4 }),
  failsAt: fc.constant([null]),
  ratesAtStep: fc.constant(0),
});

/** Dates within the span of a world's events, as parts of it. */
const dates = fc.tuple(fc.double({ min: 0, max: 0.7, noNaN: true }), fc.double({ min: 0.05, max: 1, noNaN: true }));

interface Forecast {
  readonly own: World;
  readonly tasks: readonly TaskDefinition[];
  readonly segments: readonly SegmentDefinition[];
  readonly nowS: number;
}

describe('the forecast of a dry run and what the same version then pays', () => {
  let tables: AppliedTables;

  beforeAll(async () => {
    tables = await AppliedTables.create();
  });
  afterAll(() => tables.drop());

  it('are the same, award by award, when events arrive as they happen', async () => {
    await fc.assert(
      fc.asyncProperty(world({ maxEvents: 25 }), dates, async (made, within) => {
        const given = forecastOf(asTheyHappen(made), within, {});
        await runWorld(tables, given.own, atOnce, given.nowS);
        for (const task of given.tasks) {
          const { rows } = await tables.pool.query<Record<string, unknown>>(
            `SELECT occurrence, reached_at, platform_user_id AS account, reward FROM engagement.awards
             WHERE task_id = $1 AND NOT reversed ORDER BY reached_at, occurrence`,
            [task.definitionId],
          );
          const forecast = (await forecastFor(task, given)).map(({ occurrence, reachedAt, account, reward }) => ({
            ...{ occurrence, reached_at: reachedAt, account, reward },
          }));
          const byPlace = (a: Record<string, unknown>, b: Record<string, unknown>): number =>
            Number(a.reached_at) - Number(b.reached_at) || (String(a.occurrence) < String(b.occurrence) ? -1 : 1);
          expect(forecast.sort(byPlace)).toEqual(rows.sort(byPlace));
        }
      }),
      propertyOptions(40),
    );
  });

  it('have the same occurrences in any order of arrival, when what is undone is taken back', async () => {
    await fc.assert(
      fc.asyncProperty(world({ maxEvents: 25 }), dates, arrivals, async (made, within, arrival) => {
        const given = forecastOf(made, within, { claw_back: 'always', max_per_event: 100_000 });
        await runWorld(tables, given.own, arrival, given.nowS);
        for (const task of given.tasks) {
          const { rows } = await tables.pool.query<{ occurrence: string }>(
            `SELECT occurrence FROM engagement.awards WHERE task_id = $1 AND NOT reversed`,
            [task.definitionId],
          );
          const withheld = await tables.pool.query<{ count: number }>(
            `SELECT coalesce(sum(last - first + 1), 0)::int AS count FROM engagement.unissued_awards
             WHERE task_id = $1 AND status = 'withheld'`,
            [task.definitionId],
          );
          const issued = rows.map(({ occurrence }) => occurrence).sort();
          const forecast = (await forecastFor(task, given)).map(({ occurrence }) => occurrence).sort();
          // Which occurrences fill the cap, and whether a formula has an amount, is decided at issue, by order in.
          const found = issued.length + withheld.rows[0].count;
          if ('percent' in task.versions[0].body.reward) expect(found).toBeGreaterThanOrEqual(forecast.length);
          else if (found >= capOf(task)) expect(issued).toHaveLength(forecast.length);
          else expect(issued).toEqual(forecast);
        }
      }),
      propertyOptions(40),
    );
  });

  function forecastOf(made: World, [start, length]: readonly [number, number], changes: Partial<TaskBody>): Forecast {
    const renamed = ownWorld(made);
    const nowS = endOf(renamed);
    const seconds = renamed.events.flatMap(({ createdAt }) => createdAt);
    const firstS = Math.min(...seconds, nowS - 20 * dayS);
    const from = Math.floor(firstS + start * (nowS - firstS));
    const to = Math.min(nowS, from + Math.ceil(length * (nowS - firstS)));
    const tasks = renamed.definitions.flatMap((each) => {
      if (each.kind !== 'task') return [];
      const task = taskOnDates(each, from, to);
      const [version] = task.versions;
      return [{ ...task, versions: [{ ...version, body: { ...version.body, ...changes } }] }];
    });
    const segments = renamed.definitions.flatMap((each) => (each.kind === 'segment' ? [each] : []));
    return { own: { ...renamed, definitions: [...segments, ...tasks] }, tasks, segments, nowS };
  }

  async function forecastFor(task: TaskDefinition, { segments }: Forecast) {
    const trial = await orderTrial(tables, { kind: 'dry_run', draft: task, published: null, segments });
    expect((await runTrial(tables, trial)).state).toBe('finished');
    return trialAwards(tables, trial);
  }
});

/** The same world with each event received when it happens, one in a second. */
function asTheyHappen(made: World): World {
  const bySecond = new Map(made.events.map((event) => [event.createdAt, { ...event, receivedAt: event.createdAt }]));
  return { ...made, events: [...bySecond.values()].sort((a, b) => a.createdAt - b.createdAt) };
}
