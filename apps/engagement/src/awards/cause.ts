import { BonusAwardIssuedData, BonusAwardReversedData } from '@podium/messages';
import { Span } from '@podium/runtime/trace';

/** The event that caused a change. */
export interface Cause {
  readonly platformUserId: string;
  /** Unix milliseconds at the gateway. */
  readonly receivedAtMs: number;
  readonly traceparent?: string;
}

/** An entry of the ledger with the event that caused it; without one when time or an operator did. */
export interface Caused<Award> {
  readonly award: Award;
  readonly cause?: Cause;
  /** The span of the ledger entry, in the trace of the event; the caller ends it after the commit. */
  readonly span?: Span;
}

export type CausedAward = Caused<BonusAwardIssuedData>;
export type CausedReversal = Caused<BonusAwardReversedData>;
