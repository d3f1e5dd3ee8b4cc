import * as path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { topics } from '@podium/messages';
import { connectKafka } from '../../apps/operator/src/cli/server-connections';
import { Progress } from '../../tools/stack/progress';
import { withClient } from '../../tools/stack/with-client';
import { Child } from '../support/child';
import { LoadFigures } from '../support/closed-loop';
import { measuredImportMs } from './import-length';
import { SampledOperation } from './operations';
import { residentMiB } from './process-memory';
import { PublisherCommand, PublisherReport } from './publisher';
import { ReadsStack } from './reads-stack';

/** What is imported while reads are measured. */
export interface ImportLoad {
  /** Players of the published world; there are about five changes for each. */
  readonly players: number;
  readonly changesPerS: number;
  /** Reads that begin each second, whether or not earlier ones are answered. */
  readonly readsPerS: number;
}

/** Reads with and without a concurrent import of changes. */
export interface ImportFigures {
  readonly quiet: LoadFigures;
  readonly importing: LoadFigures;
  /** Reads from the end of the import on, while the remaining changes are applied. */
  readonly afterwards: LoadFigures;
  /** Resident MiB of the process that applies changes, one sample per second during the import. */
  readonly projectorMiB: readonly number[];
  /** Its pace, from 0 to 1, likewise. */
  readonly pace: readonly number[];
  readonly offeredPerS: number;
  /** Changes applied per second while reads were measured. */
  readonly changesPerS: number;
  /** From the acknowledgement of the last change until all are in the tables; reads go on meanwhile. */
  readonly lagToZeroS: number;
}

const quietMs = 20_000;
const afterwardsMs = 10_000;

/** Measures a steady load of details and lists, first alone, then while changes are published at a fixed rate and projected. */
export async function measureImport(
  bench: ReadsStack,
  operations: readonly SampledOperation[],
  { players, changesPerS, readsPerS }: ImportLoad,
  progress: Progress,
): Promise<ImportFigures> {
  const paths = operations.filter(({ kind }) => kind === 'details' || kind === 'list').flatMap(({ paths }) => paths);
  const mixed = paths.map((_, at) => paths[(at * 7919) % paths.length]);
  // A fixed rate: the measurement shows the effect of the import on reads, not that of a saturated machine.
  const measure = (measureMs: number): Promise<LoadFigures> =>
    bench.measure('service', mixed, { connections: 16, warmUpMs: 500, measureMs, requestsPerS: readsPerS });
  process.env.KAFKA_BROKERS = bench.stack.infrastructure.addresses.kafka_brokers;
  const { child: publisher, first } = await Child.start<PublisherCommand, PublisherReport>(
    path.join(__dirname, 'publisher.ts'),
    [`${players}`],
    // Without these it collects its whole heap several times a second, on the processors of the servers.
    ['--min-semi-space-size=32', '--max-semi-space-size=32', '--initial-old-space-size=512'],
  );
  if (first.kind !== 'ready') throw new Error(`the publisher reported ${first.kind}`);
  try {
    await measure(1_000);
    const quiet = await progress.step('Reads, nothing imported', () => measure(quietMs));
    return await progress.step(`Reads while ${changesPerS} changes/s are imported`, async () => {
      const projector = new ProjectorWatch(bench);
      publisher.tell({ changesPerS });
      const published = publisher.report();
      await sleep(1_000);
      const before = await projector.applied();
      const startedAtMs = performance.now();
      const importing = await measure(measuredImportMs(first.changes, changesPerS));
      const applied = ((await projector.applied()) - before) / ((performance.now() - startedAtMs) / 1000);
      await published;
      const publishedAtMs = performance.now();
      const [afterwards, lagToZeroS] = await Promise.all([measure(afterwardsMs), untilNoLag(bench, publishedAtMs)]);
      const { memoryMiB: projectorMiB, pace } = projector.stop();
      return {
        ...{ quiet, importing, afterwards, projectorMiB, pace, lagToZeroS },
        ...{ offeredPerS: changesPerS, changesPerS: applied },
      };
    });
  } finally {
    publisher.stop();
  }
}

/** Samples the process that applies changes. */
class ProjectorWatch {
  private readonly memoryMiB: number[] = [];
  private readonly pace: number[] = [];
  private readonly timer: NodeJS.Timeout;
  private readonly handle: { readonly pid: number | undefined; readonly healthUrl: string };

  constructor({ stack: { services } }: ReadsStack) {
    this.handle = services.of('competition-read-projector')[0] ?? services.first('competition-read');
    this.timer = setInterval(() => void this.sample(), 1_000);
  }

  /** Its counter of applied changes. */
  applied(): Promise<number> {
    return this.metric('competition_read_changes_total{outcome="applied"');
  }

  stop(): { readonly memoryMiB: readonly number[]; readonly pace: readonly number[] } {
    clearInterval(this.timer);
    return { memoryMiB: this.memoryMiB, pace: this.pace };
  }

  private async sample(): Promise<void> {
    this.memoryMiB.push(residentMiB(this.handle.pid ?? 0));
    this.pace.push(await this.metric('competition_read_change_pace_ratio'));
  }

  private async metric(beginning: string): Promise<number> {
    const text = await (await fetch(`${this.handle.healthUrl}/metrics`)).text();
    const line = text.split('\n').find((each) => each.startsWith(beginning));
    return Number(line?.split(' ').at(-1) ?? 0);
  }
}

/** Seconds since a time until the positions of the live tables are at the end of the topic. */
async function untilNoLag({ stack }: ReadsStack, sinceMs: number): Promise<number> {
  const admin = connectKafka({}, process.env).admin();
  await admin.connect();
  const ends = await admin.fetchTopicOffsets(topics.competitionChanges.name);
  await admin.disconnect();
  return withClient(stack.infrastructure.addresses.database_url, async (client) => {
    const live = await client.query<{ live: string }>('SELECT live FROM competition_read.live_set');
    for (;;) {
      const { rows } = await client.query<{ partition: number; offset: string }>(
        `SELECT partition, next_offset::text AS offset FROM competition_read.positions_${live.rows[0].live} WHERE topic = $1`,
        [topics.competitionChanges.name],
      );
      const at = new Map(rows.map(({ partition, offset }) => [partition, BigInt(offset)]));
      if (ends.every(({ partition, high }) => (at.get(partition) ?? 0n) >= BigInt(high)))
        return (performance.now() - sinceMs) / 1000;
      await sleep(50);
    }
  });
}
