import { SeededRandom } from '../../support/seeded-random';
import { FaultContext } from '../fault-context';

/*
 * A kind of fault is one object of this type. Kinds of a family stand in one file of this folder, as a function that returns
 * them; `all-kinds.ts` lists the families. A kind keeps nothing between two faults: what it hits, and what it needs, is in the
 * context. Whoever adds a kind adds it to its family and changes nothing else.
 */

/** What is broken; two faults of one target are never there at once. */
export type FaultTarget =
  'gateway' | 'ingestion' | 'linkage' | 'engagement' | 'Redis' | 'Postgres' | 'Kafka' | 'foreign writers';

/** Something that breaks, and is whole again by itself: nobody repairs anything afterwards. */
export interface FaultKind {
  /** Names it in tables and in `--kinds`; unique. */
  readonly name: string;
  readonly target: FaultTarget;
  /** What happens and how it ends, in one sentence without a full stop. */
  readonly breaks: string;
  /** It is short enough for the run in `npm test`. */
  readonly inShortRun?: boolean;
  /** Why it cannot be tried on this machine or stack; undefined when it can. */
  readonly impossible?: (context: FaultContext) => string | undefined;
  /** Breaks it; resolves when it is broken. */
  begin(context: FaultContext, random: SeededRandom): Promise<BegunFault>;
}

/** A fault that is there. */
export interface BegunFault {
  /** What exactly was hit. */
  readonly hit: string;
  /** How long it is to stay, milliseconds; 0 for what is over as soon as it has happened. */
  readonly lastsMs: number;
  /**
   * Takes the cause away, as the world would: a network is back, a disk has room, an orchestrator starts again what has ended.
   * Resolves when what was hit serves again; the time to recovery counts from the call.
   */
  end(): Promise<void>;
  /** More than the probe must see before the system counts as recovered. */
  isRecovered?(): Promise<boolean>;
}
