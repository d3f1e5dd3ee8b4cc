import { setTimeout as sleep } from 'node:timers/promises';
import { TopicRow } from '@podium/messages';
import { Logger } from 'pino';
import { PositionStore } from './partition-positions';
import { GroupPositions } from './group-positions';
import { keepTrying } from '../client/keep-trying';

/** Dependencies of a barrier. */
export interface CatchUpBarrierOptions {
  readonly row: Pick<TopicRow, 'name'>;
  /** The current timeline of the table's database. */
  readonly timeline: () => Promise<string>;
  readonly logger: Logger;
  readonly pollMs?: number;
  /** Interval of reading the timeline once the table has caught up, milliseconds. */
  readonly timelineCheckMs?: number;
}

/**
 * Checks that a table has everything that was in its topic when this instance started: an empty or restored table lacks
 * records that other instances know. After a change of timeline it must catch up again with the topic as it is then, because
 * a promoted standby may lack the last commits.
 */
export class CatchUpBarrier {
  private readonly abort = new AbortController();
  private passedOn: string | undefined;
  private watching: Promise<void> | undefined;

  constructor(
    private readonly topic: Pick<GroupPositions, 'endsWhenThere' | 'close'>,
    private readonly table: PositionStore,
    private readonly options: CatchUpBarrierOptions,
  ) {}

  /** Whether the table has caught up at least once. */
  isPassed(): boolean {
    return this.passedOn !== undefined;
  }

  /** Whether data read on this timeline is complete. */
  isPassedOn(timeline: string): boolean {
    return this.passedOn === timeline;
  }

  /** Watches in the background: the consumer that fills the table starts later. */
  async start(): Promise<void> {
    this.watching = this.watch().catch((error: unknown) => {
      if (this.abort.signal.aborted) return;
      this.options.logger.error({ err: error, topic: this.options.row.name }, 'watching a table catch up failed');
    });
  }

  async stop(): Promise<void> {
    this.abort.abort();
    await this.watching;
    await this.topic.close();
  }

  private async watch(): Promise<void> {
    const { logger, timeline, timelineCheckMs = 1_000 } = this.options;
    const { signal } = this.abort;
    for (; ; await sleep(timelineCheckMs, undefined, { signal })) {
      const present = await keepTrying('reading the timeline of Postgres', timeline, { logger, signal });
      if (present === this.passedOn) continue;
      await this.catchUp();
      this.passedOn = present;
    }
  }

  private async catchUp(): Promise<void> {
    const { row, pollMs = 200 } = this.options;
    const { signal } = this.abort;
    const bounds = await this.topic.endsWhenThere(row.name, signal);
    const wanted = bounds.map(({ low, high }, partition) => ({ partition, offset: high, isEmpty: low === high }));
    while (!(await this.hasAll(wanted))) await sleep(pollMs, undefined, { signal });
  }

  private async hasAll(wanted: readonly { partition: number; offset: bigint; isEmpty: boolean }[]): Promise<boolean> {
    const { row, logger } = this.options;
    try {
      for (const { partition, offset, isEmpty } of wanted)
        if (!isEmpty && ((await this.table.load(row.name, partition)) ?? -1n) < offset) return false;
      return true;
    } catch (error) {
      logger.debug({ topic: row.name, cause: String(error) }, 'positions are unavailable');
      return false;
    }
  }
}
