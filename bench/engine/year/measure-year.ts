import { UserEventData } from '@podium/messages';
import { Pool } from '@podium/runtime/postgres';
import { freshDatabase } from '@podium/testing';
import { migrations, schema } from '../../../apps/engagement/src/migrations';
import { EventApplier } from '../../../apps/engagement/test/event-applier';
import { EngineOverTime, expireAll } from '../../../apps/engagement/test/load/engine-over-time';
import { measuredDefinitions, measuredFromS } from '../../../apps/engagement/test/measured-definitions';
import { Progress } from '../../../tools/stack/progress';
import { linksOf } from '../events';
import { Floor } from '../floor';
import { Sizes, readSizes } from './table-sizes';
import { UsedTime, noTime, sumOf, usedTimeOf } from './used-time';
import { Activity, YearEvents } from './year-events';

const dayS = 86_400;
const months = 12;
const definitions = 20;

/** One month of event time. */
export interface MonthFigures {
  /** From 1. */
  readonly month: number;
  readonly events: number;
  /** Awards, reversals and changed memberships by events. */
  readonly changes: number;
  /** Pairs of user and definition that time made due. */
  readonly due: number;
  readonly engine: UsedTime;
  readonly floor: UsedTime;
  readonly background: UsedTime;
  /** At the end of the month. */
  readonly sizes: Sizes;
}

/** Lets a year of events pass through the engine, and through the floor beside it; tells each month as it ends. */
export async function measureYear(activity: Activity, progress: Progress): Promise<MonthFigures[]> {
  const databases = [await freshDatabase({ schema, migrations }), await freshDatabase({ schema, migrations })];
  const engine = await EngineOverTime.open(databases[0].url, {
    ...{ lanes: activity.lanes, nowS: measuredFromS },
    definitions: measuredDefinitions(definitions, 'other names'),
  });
  const floorPool = EventApplier.pool(databases[1].url, activity.lanes + 2);
  try {
    for (let at = 0; at < activity.users; at += activity.batch)
      await engine.applier.link(linksOf(at, Math.min(activity.batch, activity.users - at)));
    const year = new Year(engine, floorPool, activity);
    const figures: MonthFigures[] = [];
    for (let month = 1; month <= months; month++)
      figures.push(await progress.step(`month ${month}`, () => year.passMonth(month), describe));
    return figures;
  } finally {
    await engine.close();
    await floorPool.end();
    for (const database of databases) await database.drop();
  }
}

function describe({ events, engine, floor, background }: MonthFigures): string {
  const [ofEngine, ofFloor] = [engine, floor].map(({ wallS }) => Math.round(events / wallS));
  return `${events} events, ${ofEngine} events/s, bare limit ${ofFloor}; background work ${background.wallS.toFixed(1)} s`;
}

class Year {
  private readonly events: YearEvents;
  private readonly floor: Floor;

  constructor(
    private readonly engine: EngineOverTime,
    private readonly floorPool: Pool,
    activity: Activity,
  ) {
    this.events = new YearEvents(activity);
    this.floor = new Floor(floorPool);
  }

  async passMonth(month: number): Promise<MonthFigures> {
    const sum = { events: 0, changes: 0, due: 0, engine: noTime, floor: noTime, background: noTime };
    const endS = monthEndS(month);
    for (let dayFromS = monthEndS(month - 1); dayFromS < endS; dayFromS += dayS) {
      const batches = this.events.ofDay(dayFromS);
      sum.events += batches.flat(2).length;
      const applied = await usedTimeOf(this.engine.pool, () =>
        inLanes(batches, async (lane, batch) => {
          const changed = await this.engine.apply(lane, batch);
          sum.changes += changed;
        }),
      );
      sum.engine = sumOf(sum.engine, applied.used);
      const bare = await usedTimeOf(this.floorPool, () => inLanes(batches, (_lane, batch) => this.floor.apply(batch)));
      sum.floor = sumOf(sum.floor, bare.used);
      const passed = await usedTimeOf(this.engine.pool, () => this.engine.passTo(dayFromS + dayS));
      sum.due += passed.result;
      sum.background = sumOf(sum.background, passed.used);
      await expireAll(this.floorPool, dayFromS + dayS);
    }
    return { month, ...sum, sizes: await readSizes(this.engine.pool) };
  }
}

/** Unix seconds at which a month ends, from the first one on; 0 is the beginning. */
function monthEndS(month: number): number {
  const begin = new Date(measuredFromS * 1000);
  return Date.UTC(begin.getUTCFullYear(), begin.getUTCMonth() + month, begin.getUTCDate()) / 1000;
}

/** Each partition takes its batches one after the other, all partitions at the same time. */
async function inLanes(
  batches: readonly UserEventData[][][],
  work: (lane: number, batch: UserEventData[]) => Promise<unknown>,
): Promise<void> {
  await Promise.all(
    batches.map(async (ofLane, lane) => {
      for (const batch of ofLane) await work(lane, batch);
    }),
  );
}
