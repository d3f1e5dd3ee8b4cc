import type { UnissuedStatus } from '../src/awards/known-award';
import type { TaskBody } from '../src/evaluation/definition';

/** What happens to the users of a task. */
export type CombinedStep =
  | {
      readonly does: 'event';
      readonly user: number;
      readonly name: string;
      readonly value: string;
      /** How long before `since` it happened, seconds. */
      readonly agoS: number;
      /** Its receipt, or the end of the task if that was before. */
      readonly since: 'receipt' | 'end';
    }
  | {
      readonly does: 'link';
      readonly user: number;
      /** Null: the user is unlinked. */
      readonly account: number | null;
      /** How long before its record arrives, seconds. */
      readonly agoS: number;
      /** Due times are evaluated while it is stored. */
      readonly isBesideDue: boolean;
    }
  | {
      readonly does: 'erase';
      readonly user: number;
      readonly linksFirst: boolean;
      /** Due times are evaluated between the two records. */
      readonly isBesideDue: boolean;
    }
  | { readonly does: 'rate'; readonly day: number }
  | { readonly does: 'pause' | 'resume' }
  | { readonly does: 'edit'; readonly changes: Partial<TaskBody> }
  | { readonly does: 'pay' | 'refuse'; readonly share: number }
  | { readonly does: 'raise'; readonly by: number }
  /** The oldest entries that have no answer. */
  | {
      readonly does: 'answer';
      readonly result: 'confirmed' | 'rejected';
      readonly of: 'issued' | 'reversed' | 'any';
      readonly share: number;
    }
  /** By hand, and for good. */
  | { readonly does: 'end' }
  /** Of all tasks. */
  | { readonly does: 'pass'; readonly seconds: number }
  /** To so many seconds after the next UTC day begins. */
  | { readonly does: 'midnight'; readonly lateS: number }
  /** To the next due time that is stored. */
  | { readonly does: 'due' }
  /** Until nothing is due. */
  | { readonly does: 'settle' }
  /** One round of backfills and of due times, for at most so many users. */
  | { readonly does: 'round'; readonly most: number }
  /** To so many seconds before the task closes; nothing where it never does. */
  | { readonly does: 'close'; readonly earlyS: number };

/** A step of the clock, or of all tasks. */
export type StepOfAll = Extract<CombinedStep, { does: 'pass' | 'midnight' | 'due' | 'close' | 'settle' | 'round' }>;

/** A step of the task of one of `places`. */
export interface PlacedStep {
  readonly at: number;
  readonly step: CombinedStep;
}

/** An issue or reversal as it was published. */
export interface PublishedEntry {
  readonly awardId: string;
  readonly seq: number;
  readonly kind: 'issued' | 'reversed';
  readonly userId: string;
  readonly account: string;
  readonly occurrence: string;
  readonly version: number;
  readonly amount: number;
  /** Unix seconds, as known at its issue. */
  readonly reachedAt: number;
  /** UTC day of the transaction. */
  readonly day: string;
  answer: 'confirmed' | 'rejected' | null;
  /** Its user was erased since, or while it was published. */
  isErased: boolean;
}

/** What is not issued. */
export interface UnissuedRow {
  readonly userId: string;
  readonly series: string;
  readonly first: number;
  readonly last: number;
  readonly status: UnissuedStatus;
  readonly reason: string | null;
  readonly account: string | null;
  readonly amount: string | null;
  readonly reachedAt: number;
}

/** What is left of a task's budget, and of which; null where no rows count it. */
export interface BudgetLeft {
  /** That the rows follow. */
  readonly version: number;
  readonly total: number | null;
  readonly leftInTotal: number | null;
  readonly perDay: number | null;
  /** Of the UTC day of now. */
  readonly leftOfDay: number | null;
}

export const users = ['user-0', 'user-1', 'user-2'] as const;
export const beginS = Date.parse('2026-11-20T09:00:00Z') / 1000;

/** The tasks of two organizers, whose users and accounts have the same names. */
export const places = [
  { platform: 'acme', organizerId: 'organizer-1', taskId: '00000000-0000-4000-8000-0000000000aa' },
  { platform: 'other', organizerId: 'organizer-2', taskId: '00000000-0000-4000-8000-0000000000bb' },
] as const;

/** Rates of USD in EUR by UTC day, as decimals that add up without rounding. */
export const rates = [
  { from: 'USD', to: 'EUR', day: '2026-11-16', rate: '0.5' },
  { from: 'USD', to: 'EUR', day: '2026-11-18', rate: '2' },
  { from: 'USD', to: 'EUR', day: '2026-11-19', rate: '0.25' },
  { from: 'USD', to: 'EUR', day: '2026-11-20', rate: '1' },
  { from: 'USD', to: 'EUR', day: '2026-11-21', rate: '4' },
] as const;
