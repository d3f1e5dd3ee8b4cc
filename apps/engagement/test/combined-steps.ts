import type { UnissuedStatus } from '../src/awards/known-award';
import type { TaskBody } from '../src/evaluation/definition';

/** What happens to the users of one task. */
export type CombinedStep =
  | {
      readonly does: 'event';
      readonly user: number;
      readonly name: string;
      readonly value: string;
      readonly agoS: number;
    }
  | { readonly does: 'link'; readonly user: number; /** Null: the user is unlinked. */ readonly account: number | null }
  | { readonly does: 'pass'; readonly seconds: number }
  | { readonly does: 'pause' | 'resume' | 'settle' }
  | { readonly does: 'edit'; readonly changes: Partial<TaskBody> }
  | { readonly does: 'pay' | 'refuse'; readonly share: number }
  | { readonly does: 'raise'; readonly by: number }
  | { readonly does: 'answer'; readonly result: 'confirmed' | 'rejected'; readonly share: number };

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
  /** UTC day of the transaction. */
  readonly day: string;
  answer: 'confirmed' | 'rejected' | null;
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

export const users = ['user-0', 'user-1', 'user-2'] as const;
export const beginS = Date.parse('2026-11-20T09:00:00Z') / 1000;
