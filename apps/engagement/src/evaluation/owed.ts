import { Reward } from '@podium/messages';

/** What a task owes at one deciding instant. */
export interface Owed {
  readonly occurrences: Occurrences;
  /** Unix seconds: the first second at which it is reached. */
  readonly reachedAt: number;
  /** The version in force at `reachedAt`; its reward is paid. */
  readonly version: number;
  /** The event that decides (docs/engine.md, reading 8); null when time does. */
  readonly decidedBy: DecidingEvent | null;
  /** The account of the deciding event, else of the link in force at `reachedAt`; null: not linked then. */
  readonly account: string | null;
  readonly reward: Reward | Unpayable;
  /** Found when it is first read: it takes all events that count, and most of what is owed is issued already. */
  readonly evidence: Evidence;
}

/** One occurrence by its key (`g1:once`, `2026-11`), or consecutive ones of `every` (`g1:every:3` to `g1:every:9`). */
export type Occurrences =
  | { readonly kind: 'one'; readonly occurrence: string }
  | { readonly kind: 'every'; readonly generation: number; readonly first: number; readonly last: number };

export interface DecidingEvent {
  readonly id: string;
  readonly createdAt: number;
  readonly account: string;
}

/** A formula that gives no amount that can be paid: the award is withheld with this reason. */
export interface Unpayable {
  readonly unpayable: (typeof unpayableReasons)[number];
}

/** No money to take a percentage of, an amount of 0 or less, or one of more than 18 digits before the point. */
export const unpayableReasons = ['amount_absent', 'amount_zero', 'amount_too_large'] as const;

/** Why an award was issued; at most 2 KB as JSON. */
export interface Evidence {
  /** Values of the goal's comparisons at `reachedAt`, by the path of the condition. */
  readonly values: Readonly<Record<string, string>>;
  /** Up to 5 events that counted, the deciding one first. */
  readonly events: readonly DecidingEvent[];
}
