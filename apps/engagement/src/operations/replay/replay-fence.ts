import { OutageError } from '@podium/runtime/kafka';
import { Queryable } from '@podium/runtime/postgres';
import { readReplayNumber } from './replays.store';

/** The batch was read before a replay reset the positions, so that it must not be applied. */
export class StalePositionsError extends OutageError {
  override readonly name = 'StalePositionsError';
  constructor() {
    super('a replay has begun: these records were read from outdated positions');
  }
}

/**
 * Refuses batches that were read before a replay set the positions back: they would move the position past the records to
 * re-read. It is armed while this instance has no batch in flight, before its consumer loads positions.
 */
export class ReplayFence {
  private known = 0;

  /** From now on, batches of this instance belong to the current positions. */
  async arm(db: Queryable): Promise<void> {
    this.known = await readReplayNumber(db);
  }

  /** Whether a replay has begun since. */
  async isStale(db: Queryable): Promise<boolean> {
    return (await readReplayNumber(db)) !== this.known;
  }

  /** Rejects when a replay has begun since. The caller holds the epoch, so that none begins before the commit. */
  async check(tx: Queryable): Promise<void> {
    if (await this.isStale(tx)) throw new StalePositionsError();
  }
}
