/** A fault that has been; times are Unix ms. */
export interface Struck {
  readonly name: string;
  readonly hit: string;
  readonly fromMs: number;
  /** When its cause was taken away. */
  readonly endedMs: number;
  /** When what was hit served again. */
  readonly untilMs: number;
  /** The other fault of its pair. */
  readonly beside?: string;
  /**
   * Time to recovery, ms: from the end of the fault until a probe event of each partition, posted by the run from then on, was
   * answered 200, applied, and its award was published, and the views of links had caught up. Undefined when it was not measured.
   */
  readonly recoveryMs?: number;
  /** Why it is not recovered. */
  readonly problem?: string;
}
