/** Permission to process a batch; `end` releases it. */
export interface BatchTurn {
  /** Maximum number of records of the batch. */
  readonly maxRecords: number;
  end(): void;
}

/** Resolves when a batch may begin, so that a consumer leaves capacity to other work of its process. */
export type TakeTurn = () => Promise<BatchTurn>;

export const unlimitedTurn: BatchTurn = { maxRecords: Infinity, end: () => undefined };
