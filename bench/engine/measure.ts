import { UserEventData } from '@podium/messages';
import { EventApplier } from '../../apps/engagement/test/event-applier';
import { leadingRelay } from '../../apps/engagement/test/leading-relay';
import { FurtherSets, measuredDefinitions, measuredFromS } from '../../apps/engagement/test/measured-definitions';
import { migrations, schema } from '../../apps/engagement/src/migrations';
import { freshDatabase } from '@podium/testing';
import { Progress } from '../../tools/stack/progress';
import { Events, linksOf } from './events';
import { Floor } from './floor';
import { EngineOptions } from './options';
import { CpuSeconds, cpuBetween, readCpu } from '../support/process-cpu';
import { profiled } from './profiled';
import { StateFloor } from './state-floor';

/** What is measured alternately. */
type Side = 'engine' | 'floor' | 'state';

/** One number of definitions. */
export interface SizeFigures {
  readonly size: string;
  /** Events per second, by round. */
  readonly perS: Readonly<Record<Side, readonly number[]>>;
  /** CPU milliseconds per 1,000 events, by process. */
  readonly cpuMs: Readonly<Record<Side, CpuSeconds>>;
  /** Awards and membership changes per event of the measurement. */
  readonly changesPerEvent: number;
  /** Of `event_histories`, without indexes. */
  readonly historyBytes: number;
}

/** Measures one number of definitions and both floors, alternately, on databases of their own. */
export async function measureSize(
  size: string,
  options: EngineOptions,
  { progress, postgresPid }: { readonly progress: Progress; readonly postgresPid: number | undefined },
): Promise<SizeFigures> {
  const databases = [];
  for (let side = 0; side < 3; side++) databases.push(await freshDatabase({ schema, migrations }));
  const pools = databases.map(({ url }) => EventApplier.pool(url, options.lanes + 2));
  // Progress is told only while a relay leads that knows its topic.
  const leader = await leadingRelay(pools[0]);
  try {
    const definitions = measuredDefinitions(Number.parseInt(size, 10), furtherSetsOf(size));
    const events = new Events(options, measuredFromS, size);
    let nowMs = measuredFromS * 1000;
    const engine = new EventApplier(pools[0], definitions, () => nowMs);
    const apply = (batch: UserEventData[], lane: number): Promise<number> => {
      nowMs = Math.max(nowMs, batch[batch.length - 1].received_at);
      return engine.apply(lane, batch);
    };
    const floor = new Floor(pools[1]);
    const state = new StateFloor(pools[2]);
    const perTurn = options.batch * options.lanes;
    const turns = (count: number): UserEventData[][][] =>
      Array.from({ length: Math.ceil(count / perTurn) }, () => events.nextBatches(false));
    await progress.step(`${size} definitions: links of ${options.users} users`, async () => {
      for (let at = 0; at < options.users; at += options.batch)
        await engine.link(linksOf(at, Math.min(options.batch, options.users - at)));
    });
    await progress.step(`${size} definitions: history of ${options.users} users`, async () => {
      for (let left = options.users * options.history * 2; left > 0; left -= perTurn) {
        const batches = events.nextBatches(true);
        await Promise.all(batches.map(apply));
        await Promise.all(batches.map((batch) => floor.apply(batch)));
      }
    });
    // Awards have statistics, too: nothing is reached in the history.
    await progress.step(`${size} definitions: warm-up`, async () => {
      for (const batches of turns(options.events)) {
        await Promise.all(batches.map(apply));
        await Promise.all(batches.map((batch) => floor.apply(batch)));
      }
    });
    for (const pool of pools) await pool.query('VACUUM ANALYZE');
    const { rows } = await pools[0].query<{ bytes: number }>(
      `SELECT avg(octet_length(packed))::float8 AS bytes FROM engagement.event_histories`,
    );
    const [{ bytes: historyBytes }] = rows;
    await progress.step(`${size} definitions: rows of state without an engine`, async () => {
      await state.prepare(options.users, Math.round(historyBytes));
      for (const batches of turns(options.events)) await Promise.all(batches.map((batch) => state.apply(batch)));
    });
    const perS: Record<Side, number[]> = { engine: [], floor: [], state: [] };
    const pids = { node: process.pid, postgres: postgresPid };
    const cpuMs: Record<Side, CpuSeconds> = { engine: {}, floor: {}, state: {} };
    let changes = 0;
    let applied = 0;
    for (let round = 1; round <= options.rounds; round++) {
      const measured = turns(options.events);
      const run = async (work: (batch: UserEventData[], lane: number) => Promise<number | void>): Promise<number> => {
        const startMs = performance.now();
        // Each partition takes its batches one after the other.
        await Promise.all(
          Array.from({ length: options.lanes }, async (_, lane) => {
            for (const batches of measured) {
              const changed = await work(batches[lane], lane);
              changes += changed ?? 0;
            }
          }),
        );
        return (measured.length * perTurn) / ((performance.now() - startMs) / 1000);
      };
      const measure = async (side: Side, work: Parameters<typeof run>[0]): Promise<void> => {
        const before = readCpu(pids);
        perS[side].push(
          await profiled(side === 'engine' ? options.profile : undefined, `${size}-${round}`, () => run(work)),
        );
        cpuMs[side] = perThousand(cpuBetween(before, readCpu(pids)), measured.length * perTurn);
      };
      const step = async (): Promise<string> => {
        await measure('engine', apply);
        await measure('floor', (batch) => floor.apply(batch));
        await measure('state', (batch) => state.apply(batch));
        const [ofEngine, ofFloor, ofState] = [perS.engine, perS.floor, perS.state].map((list) =>
          Math.round(list[round - 1]),
        );
        return `${ofEngine} events/s, bare limit ${ofFloor}, with rows of state ${ofState}`;
      };
      await progress.step(`${size} definitions, round ${round}`, step, (text) => text);
      applied += measured.length * perTurn;
    }
    return { size, perS, cpuMs, changesPerEvent: changes / applied, historyBytes };
  } finally {
    leader.release();
    for (const pool of pools) await pool.end();
    for (const database of databases) await database.drop();
  }
}

function perThousand(cpuS: CpuSeconds, events: number): CpuSeconds {
  return Object.fromEntries(
    Object.entries(cpuS).map(([name, seconds]) => [name, Math.round((seconds * 1e6) / events)]),
  );
}

function furtherSetsOf(size: string): FurtherSets {
  if (size.endsWith('t')) return 'same terms';
  return size.endsWith('s') ? 'segments over same terms' : 'other names';
}
