import { setTimeout as sleep } from 'node:timers/promises';
import { topics } from '@podium/messages';
import { TablePositions } from '@podium/runtime/consumers';
import { DeadRecord, TopicReader } from '@podium/runtime/kafka';
import { Queryable, inTransaction, queryable } from '@podium/runtime/postgres';
import { applyChanges } from '../projection/apply-changes';
import { PlacedChanges, handleChanges } from '../projection/handle-changes';
import { movePosition, readPositions } from '../projection/positions.store';
import type { ChangeOutcome } from '../projection/stale-changes';
import { otherSet, tablesOf } from '../table-sets/table-set';
import { RebuildSupersededError } from './interrupted-rebuilds.store';
import { Rebuild, noteProgress } from './rebuilds.store';
import { ChangesRow, RebuildDependencies } from './run-rebuild';
import { SeenKeys } from './seen-keys';

/** Records of a topic that a rebuild could not apply. */
export interface SkippedRecords {
  /** Records that can never be applied. The service wrote them to its dead letters when it read them. */
  readonly deadRecords: number;
  /** The first of them. */
  readonly firstDead: readonly DeadRecord[];
}

/** Maximum number of dead records that are listed individually. */
const maxListedDead = 20;

const pollMs = 20;

/** Reads the topic of changes into the table set of a rebuild, and knows its position in each partition. */
export class TopicFollower {
  private readonly reader: TopicReader<ChangesRow['events'][number]>;
  private readonly abort = new AbortController();
  private readonly firstDead: DeadRecord[] = [];
  private deadRecords = 0;
  private keys = new SeenKeys(new Map());

  constructor(
    private readonly dependencies: RebuildDependencies,
    private readonly rebuild: Rebuild,
  ) {
    const { kafka, logger, registry, row = topics.competitionChanges } = dependencies;
    this.reader = new TopicReader<ChangesRow['events'][number]>({
      kafka,
      row,
      groupPrefix: 'competition-read.rebuild',
      positions: new TablePositions(queryable(dependencies.pool), rebuild.tables.positions),
      logger,
      registry,
      handle: (batch) => handleChanges(batch, (changes) => this.apply(changes)),
      onDead: (record) => this.noteDead(record),
      onFatal: (error) => this.abort.abort(error),
    });
  }

  /** Starts reading; retries while Kafka is unavailable. */
  async start(): Promise<void> {
    const { pool, row = topics.competitionChanges } = this.dependencies;
    const live = tablesOf(otherSet(this.rebuild.tables.set));
    this.keys = new SeenKeys(await this.ofTopic(await readPositions(queryable(pool), live, row.name)));
    await this.reader.start();
  }

  stop(): Promise<void> {
    this.abort.abort(new Error('the rebuild has ended'));
    return this.reader.stop();
  }

  /** Number of offsets from the beginning of the topic to its current end. */
  async total(): Promise<number> {
    const bounds = await this.reader.bounds(this.abort.signal);
    return bounds.reduce((sum, { low, high }) => sum + Number(high - low), 0);
  }

  /**
   * Resolves, with the next offset of each partition that has records, once every record is applied that was in the topic at the
   * time of the call. Rejects when the rebuild cannot continue.
   */
  async reachEnd(onDone: (recordsDone: number) => void): Promise<ReadonlyMap<number, bigint>> {
    const bounds = await this.reader.bounds(this.abort.signal);
    const ends = new Map(bounds.flatMap(({ low, high }, partition) => (low < high ? [[partition, high]] : [])));
    while (!(await this.reach(ends, 250)))
      onDone(bounds.reduce((sum, { low }, partition) => sum + this.doneSince(partition, low), 0));
    onDone(bounds.reduce((sum, { low }, partition) => sum + this.doneSince(partition, low), 0));
    return ends;
  }

  /** The positions, limited to the end of the topic: a topic that was re-created starts again at 0. */
  async withinTopic(positions: ReadonlyMap<number, bigint>): Promise<Map<number, bigint>> {
    const bounds = await this.reader.bounds(this.abort.signal);
    const ends = [...positions].map(([partition, position]): [number, bigint] => {
      const end = bounds[partition]?.high ?? 0n;
      return [partition, position < end ? position : end];
    });
    return new Map(ends.filter(([partition, end]) => end > (bounds[partition]?.low ?? 0n)));
  }

  /** The positions without those above the topic's end: they are of a topic that was lost, and created again. */
  async ofTopic(positions: ReadonlyMap<number, bigint>): Promise<ReadonlyMap<number, bigint>> {
    const bounds = await this.reader.bounds(this.abort.signal);
    return new Map([...positions].filter(([partition, position]) => position <= (bounds[partition]?.high ?? 0n)));
  }

  /** Whether these positions are reached before the timeout. */
  async reach(positions: ReadonlyMap<number, bigint>, timeoutMs: number): Promise<boolean> {
    const endMs = performance.now() + timeoutMs;
    for (;;) {
      this.abort.signal.throwIfAborted();
      const current = this.reader.positions();
      if ([...positions].every(([partition, position]) => (current.get(partition) ?? 0n) >= position)) return true;
      if (performance.now() >= endMs) return false;
      await sleep(pollMs);
    }
  }

  /** Next offset of each partition. The stored positions may be behind these when Postgres has lost commits. */
  positions(): ReadonlyMap<number, bigint> {
    return this.reader.positions();
  }

  /** Keys that the follower has read. */
  get seen(): SeenKeys {
    return this.keys;
  }

  skipped(): SkippedRecords {
    return { deadRecords: this.deadRecords, firstDead: this.firstDead };
  }

  private doneSince(partition: number, low: bigint): number {
    return Number((this.reader.positions().get(partition) ?? low) - low);
  }

  private async apply(batch: PlacedChanges): Promise<readonly ChangeOutcome[]> {
    this.keys.noteTombstones(batch);
    try {
      return await inTransaction(this.dependencies.pool, (tx) => this.applyIn(tx, batch));
    } catch (error) {
      if (error instanceof RebuildSupersededError) this.abort.abort(error);
      throw error;
    }
  }

  /** The progress is written last, because its row lock makes the batches of other partitions wait. */
  private async applyIn(tx: Queryable, batch: PlacedChanges): Promise<readonly ChangeOutcome[]> {
    const { tables } = this.rebuild;
    await movePosition(tx, tables, batch);
    const outcomes = await applyChanges(tx, tables, batch.changes);
    await noteProgress(tx, this.rebuild, { doneMore: batch.changes.length });
    return outcomes;
  }

  private noteDead(record: DeadRecord): void {
    this.deadRecords++;
    this.keys.noteDead(record.key);
    if (this.firstDead.length < maxListedDead) this.firstDead.push(record);
  }
}
