import { CatchUpBarrier, OutageError } from '@podium/runtime/kafka';
import { Queryable, readTimeline } from '@podium/runtime/postgres';

/** Erasures that were made are not applied yet; nothing of users may be applied. */
export class ErasuresUnreadError extends OutageError {
  override readonly name = 'ErasuresUnreadError';
  constructor() {
    super('erasures are being read: events and links wait, so that nobody who was erased comes back');
  }
}

/**
 * Holds events and links back until all erasures that were made are applied, at the start and whenever Postgres has come to
 * another timeline and may have lost some. Else an erasure would come behind what the user did under a new link, and take that
 * too.
 */
export class ErasureGate {
  constructor(private readonly barrier: Pick<CatchUpBarrier, 'isPassedOn'>) {}

  /** Throws `ErasuresUnreadError` as long; the epoch is held by the caller, so that no erasure comes in between. */
  async check(tx: Queryable): Promise<void> {
    if (!this.barrier.isPassedOn(await readTimeline(tx))) throw new ErasuresUnreadError();
  }
}
