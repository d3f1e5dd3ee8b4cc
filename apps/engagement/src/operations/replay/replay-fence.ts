import { OutageError } from '@podium/runtime/kafka';
import { Queryable } from '@podium/runtime/postgres';
import { readReplayNumber } from './replays.store';

/** The batch was read by positions that a replay has set anew since; nothing of it may be applied. */
export class StalePositionsError extends OutageError {
  override readonly name = 'StalePositionsError';
  constructor() {
    super('a replay has begun: these records were read by positions that no longer hold');
  }
}

/**
 * Keeps batches out that were read before a replay set the positions back: applied afterwards they would move the position
 * past all that is to be read again. Armed while this instance has no batch in hand, before its consumer loads positions.
 */
export class ReplayFence {
  private known = 0;

  /** Takes the positions that are in force now for those by which this instance reads. */
  async arm(db: Queryable): Promise<void> {
    this.known = await readReplayNumber(db);
  }

  /** Whether a replay has begun since. */
  async isStale(db: Queryable): Promise<boolean> {
    return (await readReplayNumber(db)) !== this.known;
  }

  /** Rejects when a replay has begun since; the epoch is held by the caller, so that none begins before the commit. */
  async check(tx: Queryable): Promise<void> {
    if (await this.isStale(tx)) throw new StalePositionsError();
  }
}
