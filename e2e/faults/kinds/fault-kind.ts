import { SeededRandom } from '@podium/testing/seeded-random';
import { FaultContext } from '../fault-context';

/*
 * A kind of fault is one object of type FaultKind. Each file of this folder has a function that returns the kinds of one
 * family; `all-fault-kinds.ts` lists the families. A kind has no state between two faults: targets and tools are in the
 * context. To add a kind, add it to its family; nothing else changes.
 */

/** The target of a fault; two faults of one target never overlap. */
export type FaultTarget =
  | 'gateway'
  | 'ingestion'
  | 'linkage'
  | 'engagement'
  | 'competition-read'
  | 'Redis'
  | 'Postgres'
  | 'Kafka'
  | 'foreign writers';

/** A kind of fault that the system must survive. */
export interface FaultKind {
  /** The unique name, used in tables and in `--kinds`. */
  readonly name: string;
  readonly target: FaultTarget;
  /** What happens and how it ends, in one sentence without a full stop. */
  readonly breaks: string;
  /** Whether it is short enough for the run in `npm run check:long`. */
  readonly inShortRun?: boolean;
  /** Returns why it cannot be injected on this machine or stack; undefined when it can. */
  readonly impossible?: (context: FaultContext) => string | undefined;
  /** Injects the fault; resolves when it is in effect. */
  begin(context: FaultContext, random: SeededRandom): Promise<BegunFault>;
}

/** A fault in effect. */
export interface BegunFault {
  /** The target in detail. */
  readonly hit: string;
  /** The duration in ms; 0 for an instantaneous fault. */
  readonly lastsMs: number;
  /**
   * Removes the cause: restores the network, frees disk space, restarts a process as an orchestrator does. Resolves when the
   * target serves again; the time to recovery starts with the call.
   */
  end(): Promise<void>;
  /** A condition of recovery in addition to the probe's. */
  isRecovered?(): Promise<boolean>;
}
