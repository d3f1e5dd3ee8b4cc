/** A completed fault; times are Unix ms. */
export interface FaultRecord {
  readonly name: string;
  readonly hit: string;
  readonly fromMs: number;
  /** When the cause was removed. */
  readonly endedMs: number;
  /** When the target served again. */
  readonly untilMs: number;
  /** It could not be injected; `problem` says why. */
  readonly isMissed?: boolean;
  /** The other fault of its pair. */
  readonly otherOfPair?: string;
  /**
   * Time to recovery in ms, undefined when not measured. From the end of the fault the run posts a probe event of each partition.
   * Recovery is complete when all got a 200 and were applied, their awards are published, and the views of links have caught up.
   */
  readonly recoveryMs?: number;
  /** Why the system did not recover. */
  readonly problem?: string;
}
