import { OutageError } from '@podium/runtime/kafka';
import { Queryable } from '@podium/runtime/postgres';
import { PositionsStore } from '../inbox/positions.store';

/** Erasures that were made are not applied yet; nothing of users may be applied. */
export class ErasuresUnreadError extends OutageError {
  override readonly name = 'ErasuresUnreadError';
  constructor() {
    super('erasures are being read: events and links wait, so that nobody who was erased comes back');
  }
}

/**
 * Holds events and links back until all erasures from before the start are applied, and whenever Postgres has lost some that
 * were. Else an erasure would come behind what the user did under a new link, and take that too.
 */
export class ErasureGate {
  /** How far erasures were applied when this process last looked, by partition. */
  private readonly seen = new Map<number, bigint>();

  constructor(
    private readonly barrier: { isPassed(): boolean },
    private readonly topic: string,
  ) {}

  /** Throws `ErasuresUnreadError` as long; the epoch is held by the caller, so that no erasure comes in between. */
  async check(tx: Queryable): Promise<void> {
    if (!this.barrier.isPassed()) throw new ErasuresUnreadError();
    const stored = await new PositionsStore(tx).loadAll(this.topic);
    for (const [partition, position] of this.seen)
      if ((stored.get(partition) ?? 0n) < position) throw new ErasuresUnreadError();
    for (const [partition, position] of stored) this.seen.set(partition, position);
  }
}
