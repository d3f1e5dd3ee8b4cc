import { setTimeout as sleep } from 'node:timers/promises';
import { topics } from '@podium/messages';
import { TablePositions } from '@podium/runtime/consumers';
import { DeadRecord, TopicReader } from '@podium/runtime/kafka';
import { Queryable, inTransaction, queryable } from '@podium/runtime/postgres';
import { ChangeOutcome, applyChanges } from '../projection/apply-changes';
import { PlacedChanges, handleChanges } from '../projection/handle-changes';
import { lockLiveSet, readLiveSet, writeLiveSet } from '../projection/live-set.store';
import { movePosition, readPositions } from '../projection/positions.store';
import { projectionVersion } from '../projection/project';
import { tablesOf } from '../projection/table-set';
import { Rebuild, RebuildSupersededError, finishRebuild, noteProgress } from './rebuilds.store';
import { ChangesRow, RebuildParts } from './run-rebuild';

/** How far the topic is read. */
export interface CatchUpProgress {
  readonly recordsDone: number;
  /** Records from the beginning to the end as it was at the start; compaction leaves fewer than these. */
  readonly recordsTotal: number;
}

/** What reading the topic brought. */
export interface CaughtUp {
  /** Records that can never be applied; the service has put them into its dead letters when it met them. */
  readonly deadRecords: number;
  /** The first of them. */
  readonly firstDead: readonly DeadRecord[];
}

/** Who hears of the way, and what is to be done with the set once it has the topic; changes go on to come meanwhile. */
export interface CatchUpOptions {
  onProgress?(this: void, progress: CatchUpProgress): void;
  beforeSwap?(this: void): Promise<void>;
}

/** Records that are named, of those that are dead. */
const namedDead = 20;

/** How long the swap waits for the reader while nobody may write the live set, milliseconds. */
const swapPatienceMs = 5_000;

/** Before the swap is tried again, milliseconds. */
const swapPauseMs = 200;

const pollMs = 20;

/**
 * Reads the topic from its beginning into the set of a rebuild, with its positions, and makes the set live when it has all
 * that the live one has: nobody writes the live set in that moment, so that no change is lost, and readers go on.
 */
export async function catchUpAndSwap(
  parts: RebuildParts,
  rebuild: Rebuild,
  { onProgress = () => undefined, beforeSwap = () => Promise.resolve() }: CatchUpOptions = {},
): Promise<CaughtUp> {
  const follower = new TopicFollower(parts, rebuild);
  try {
    await follower.start();
    const total = await follower.total();
    await inTransaction(parts.pool, (tx) => noteProgress(tx, rebuild, { doneMore: 0, toCome: total }));
    const showDone = (recordsDone: number): void => onProgress({ recordsDone, recordsTotal: total });
    await follower.reachEnd(showDone);
    await beforeSwap();
    await follower.reachEnd(showDone);
    while (!(await swap(parts, rebuild, follower))) {
      await sleep(swapPauseMs);
      await follower.reachEnd(showDone);
    }
    return follower.dead();
  } finally {
    await follower.stop();
  }
}

/** False when the reader was too slow to get where the live set is: writers of that one go on, and so does the reader. */
async function swap({ pool, row }: RebuildParts, rebuild: Rebuild, follower: TopicFollower): Promise<boolean> {
  const name = (row ?? topics.competitionChanges).name;
  return inTransaction(pool, async (tx) => {
    await lockLiveSet(tx);
    const { live } = await readLiveSet(tx);
    if (live === rebuild.tables.set) throw new RebuildSupersededError();
    const wanted = await follower.withinTopic(await readPositions(tx, tablesOf(live), name));
    if (!(await follower.reach(wanted, swapPatienceMs))) return false;
    const stored = await readPositions(tx, rebuild.tables, name);
    if ([...follower.finished()].some(([partition, position]) => (stored.get(partition) ?? 0n) < position))
      return false;
    await rebuild.holds();
    await finishRebuild(tx, rebuild);
    await writeLiveSet(tx, rebuild.tables.set, projectionVersion);
    return true;
  });
}

/** Reads the topic into a set, and knows how far it is. */
class TopicFollower {
  private readonly reader: TopicReader<ChangesRow['events'][number]>;
  private readonly abort = new AbortController();
  private readonly firstDead: DeadRecord[] = [];
  private deadRecords = 0;

  constructor(
    private readonly parts: RebuildParts,
    private readonly rebuild: Rebuild,
  ) {
    const { kafka, logger, registry, row = topics.competitionChanges } = parts;
    this.reader = new TopicReader<ChangesRow['events'][number]>({
      kafka,
      row,
      groupPrefix: 'competition-read.rebuild',
      positions: new TablePositions(queryable(parts.pool), rebuild.tables.positions),
      logger,
      registry,
      handle: (batch) => handleChanges(batch, (changes) => this.apply(changes)),
      onDead: (record) => this.noteDead(record),
      onFatal: (error) => this.abort.abort(error),
    });
  }

  start(): Promise<void> {
    return this.reader.start();
  }

  stop(): Promise<void> {
    this.abort.abort(new Error('the rebuild has ended'));
    return this.reader.stop();
  }

  /** Records from the beginning to the present end. */
  async total(): Promise<number> {
    const bounds = await this.reader.bounds(this.abort.signal);
    return bounds.reduce((sum, { low, high }) => sum + Number(high - low), 0);
  }

  /** Resolves once everything is applied that was in the topic when it was called; rejects when the rebuild cannot go on. */
  async reachEnd(onDone: (recordsDone: number) => void): Promise<void> {
    const bounds = await this.reader.bounds(this.abort.signal);
    const ends = new Map(bounds.flatMap(({ low, high }, partition) => (low < high ? [[partition, high]] : [])));
    while (!(await this.reach(ends, 250)))
      onDone(bounds.reduce((sum, { low }, partition) => sum + this.doneSince(partition, low), 0));
    onDone(bounds.reduce((sum, { low }, partition) => sum + this.doneSince(partition, low), 0));
  }

  /** The positions, or the end of the topic where they are beyond it: a topic that was made anew has begun again. */
  async withinTopic(positions: ReadonlyMap<number, bigint>): Promise<Map<number, bigint>> {
    const bounds = await this.reader.bounds(this.abort.signal);
    const ends = [...positions].map(([partition, position]): [number, bigint] => {
      const end = bounds[partition]?.high ?? 0n;
      return [partition, position < end ? position : end];
    });
    return new Map(ends.filter(([partition, end]) => end > (bounds[partition]?.low ?? 0n)));
  }

  /** Whether these positions are reached in time. */
  async reach(positions: ReadonlyMap<number, bigint>, timeoutMs: number): Promise<boolean> {
    const endMs = performance.now() + timeoutMs;
    for (;;) {
      this.abort.signal.throwIfAborted();
      const finished = this.reader.positions();
      if ([...positions].every(([partition, position]) => (finished.get(partition) ?? 0n) >= position)) return true;
      if (performance.now() >= endMs) return false;
      await sleep(pollMs);
    }
  }

  /** Up to where each partition is read; what the set has stored may be behind it when Postgres has lost commits. */
  finished(): ReadonlyMap<number, bigint> {
    return this.reader.positions();
  }

  dead(): CaughtUp {
    return { deadRecords: this.deadRecords, firstDead: this.firstDead };
  }

  private doneSince(partition: number, low: bigint): number {
    return Number((this.reader.positions().get(partition) ?? low) - low);
  }

  private async apply(batch: PlacedChanges): Promise<readonly ChangeOutcome[]> {
    try {
      return await inTransaction(this.parts.pool, (tx) => this.applyIn(tx, batch));
    } catch (error) {
      if (error instanceof RebuildSupersededError) this.abort.abort(error);
      throw error;
    }
  }

  /** The note of the progress comes last, as it makes the batches of other partitions wait. */
  private async applyIn(tx: Queryable, batch: PlacedChanges): Promise<readonly ChangeOutcome[]> {
    const { tables } = this.rebuild;
    await movePosition(tx, tables, batch);
    const outcomes = await applyChanges(tx, tables, batch.changes);
    await noteProgress(tx, this.rebuild, { doneMore: batch.changes.length });
    return outcomes;
  }

  private noteDead(record: DeadRecord): void {
    this.deadRecords++;
    if (this.firstDead.length < namedDead) this.firstDead.push(record);
  }
}
