/** Bounds of a producer's queue, with defaults. */
export interface QueueBounds {
  /** Maximum bytes between `send` and acknowledgement; above it `send` fails with ProducerOverloadedError. */
  maxQueueBytes?: number;
  /** Maximum number of records between `send` and acknowledgement. */
  maxQueueRecords?: number;
}

/** Counts the records between `send` and acknowledgement against the queue's bounds. */
export class QueueQuota {
  records = 0;
  private bytes = 0;

  constructor(
    private readonly bounds: QueueBounds,
    private readonly onBytes: (bytes: number) => void,
  ) {}

  admits(sizeBytes: number): boolean {
    const { maxQueueBytes = 32 * 1024 * 1024, maxQueueRecords = 50_000 } = this.bounds;
    return this.records < maxQueueRecords && this.bytes + sizeBytes <= maxQueueBytes;
  }

  take(sizeBytes: number): void {
    this.records++;
    this.onBytes((this.bytes += sizeBytes));
  }

  release(sizeBytes: number): void {
    this.records--;
    this.onBytes((this.bytes -= sizeBytes));
  }
}
