import { CatchUpBarrier, OutageError } from '@podium/runtime/kafka';
import { Queryable, readTimeline } from '@podium/runtime/postgres';

/** Some erasures are not applied yet, so that no event or link may be applied. */
export class ErasuresUnreadError extends OutageError {
  override readonly name = 'ErasuresUnreadError';
  constructor() {
    super('erasures are being read: events and links wait, so that no erased user is re-created');
  }
}

/**
 * Holds events and links back until all erasures are applied: at the start, and after each change of the Postgres timeline,
 * which may have lost some. Otherwise a late erasure would also delete what the user did under a newer link.
 */
export class ErasureGate {
  constructor(private readonly barrier: Pick<CatchUpBarrier, 'isPassedOn'>) {}

  /** Throws `ErasuresUnreadError` until then. The caller holds the epoch, so that no erasure happens before its commit. */
  async check(tx: Queryable): Promise<void> {
    if (!this.barrier.isPassedOn(await readTimeline(tx))) throw new ErasuresUnreadError();
  }
}
