/** Erasures that were made before this instance started are not read yet; nothing of users may be applied. */
export class ErasuresUnreadError extends Error {
  override readonly name = 'ErasuresUnreadError';
  constructor() {
    super('erasures are being read: events and links wait, so that nobody who was erased comes back');
  }
}

/**
 * Holds events and links back until all erasures from before the start are applied. After a restore an erasure would else
 * come behind what the user did under a new link, and take that too.
 */
export class ErasureGate {
  constructor(private readonly barrier: { isPassed(): boolean }) {}

  /** Throws `ErasuresUnreadError` until then. */
  check(): void {
    if (!this.barrier.isPassed()) throw new ErasuresUnreadError();
  }
}
