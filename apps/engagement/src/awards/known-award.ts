import { Reward } from '@podium/messages';
import { Evidence, Unpayable } from '../evaluation/owed';
import { OccurrenceRange } from './occurrence-range';

/** An award of the user for the task, as the ledger has it. */
export interface KnownAward {
  readonly awardId: string;
  /** Of one occurrence. */
  readonly range: OccurrenceRange;
  readonly version: number;
  /** Unix seconds: when the engine last found it reached; null before it found it owed at all. */
  readonly owedAt: number | null;
  readonly reversed: boolean;
  /** Issued to the same user before an erasure, or one that is on its way: it is never reversed, because what it was for is gone. */
  readonly isErased: boolean;
}

/** What is, or would be, issued for occurrences of one instant. */
export interface AwardTerms {
  /** Unix seconds. */
  readonly reachedAt: number;
  readonly version: number;
  /** Null: not linked at `reachedAt`. */
  readonly account: string | null;
  readonly reward: Reward | Unpayable;
  readonly evidence: Evidence;
}

/**
 * Why occurrences are not issued: the task was paused; more than `max_per_event`, for an approver; budget or formula, for an
 * approver; no link yet; the account was paid under another user; refused by an approver.
 */
export type UnissuedStatus = 'held_by_pause' | 'held_by_limit' | 'withheld' | 'unlinked' | 'blocked' | 'refused';

/** Why an award is withheld. */
export type WithheldReason = 'budget_total' | 'budget_day' | Unpayable['unpayable'];

/** Occurrences that are owed and not issued, or refused. */
export interface Unissued {
  readonly range: OccurrenceRange;
  readonly status: UnissuedStatus;
  /** Of withheld ones. */
  readonly reason: WithheldReason | null;
  readonly terms: AwardTerms;
}

/** Whether occurrences of a status count toward `max_per_user`; those that may never be issued do not (docs/engine.md, reading 5). */
export function fillsCap(status: UnissuedStatus): boolean {
  return status !== 'unlinked' && status !== 'blocked';
}
