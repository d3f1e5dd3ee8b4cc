/** Limits of batches and of their queue; sizes in bytes, times in ms. */
export interface BatchLimits {
  readonly maxEvents: number;
  readonly maxBatchBytes: number;
  /**
   * Waiting events of one platform, in batch requests of the largest size that it may send (`max_batch` of its contract); its
   * burst where that is more.
   */
  readonly maxQueuedBatches: number;
  readonly maxQueuedBytes: number;
  /** From receipt to the response; after it the response is 503 (gateway 5 s, ingestion 4 s, Kafka 3 s). */
  readonly deadlineMs: number;
  /** From receipt to ingestion's own deadline, which is sent to it; always before `deadlineMs`. */
  readonly ingestionDeadlineMs: number;
  /** The longest wait of an event for others while a slot is free. */
  readonly gatherMs: number;
}

/** The gateway's limits. */
export const batchLimits: BatchLimits = {
  maxEvents: 200,
  maxBatchBytes: 1024 * 1024,
  maxQueuedBatches: 4,
  maxQueuedBytes: 64 * 1024 * 1024,
  deadlineMs: 5_000,
  ingestionDeadlineMs: 4_000,
  gatherMs: 3,
};
