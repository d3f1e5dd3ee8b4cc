import { setTimeout as sleep } from 'node:timers/promises';
import { TopicRow } from '@podium/messages';
import { GroupPositions, PositionStore } from '@podium/runtime/kafka';
import { Logger } from '@podium/runtime/log';

/**
 * Whether the view's table has what was in the links' topic when this instance started: before that an empty or restored
 * table would answer `user_not_linked` for users who are linked, or accept for users who no longer are.
 */
export class LinkViewBarrier {
  private readonly abort = new AbortController();
  private passed = false;
  private watching: Promise<void> | undefined;

  constructor(
    private readonly topic: Pick<GroupPositions, 'endsWhenThere' | 'close'>,
    private readonly table: PositionStore,
    private readonly options: { row: Pick<TopicRow, 'name'>; logger: Logger; pollMs?: number },
  ) {}

  isPassed(): boolean {
    return this.passed;
  }

  /** Watches in the background: the consumer that fills the table starts later than this. */
  async start(): Promise<void> {
    this.watching = this.watch().catch((error: unknown) => {
      if (!this.abort.signal.aborted) this.options.logger.error({ err: error }, 'watching the link view failed');
    });
  }

  async stop(): Promise<void> {
    this.abort.abort();
    await this.watching;
    await this.topic.close();
  }

  private async watch(): Promise<void> {
    const { row, pollMs = 200 } = this.options;
    const { signal } = this.abort;
    const bounds = await this.topic.endsWhenThere(row.name, signal);
    const wanted = bounds.map(({ low, high }, partition) => ({ partition, offset: high, isEmpty: low === high }));
    while (!(await this.hasAll(wanted))) await sleep(pollMs, undefined, { signal });
    this.passed = true;
  }

  private async hasAll(wanted: readonly { partition: number; offset: bigint; isEmpty: boolean }[]): Promise<boolean> {
    const { row, logger } = this.options;
    try {
      for (const { partition, offset, isEmpty } of wanted)
        if (!isEmpty && ((await this.table.load(row.name, partition)) ?? -1n) < offset) return false;
      return true;
    } catch (error) {
      logger.debug({ cause: String(error) }, 'positions of the link view are not to be had now');
      return false;
    }
  }
}
