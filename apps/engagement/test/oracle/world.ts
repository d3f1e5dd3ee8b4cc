import type { Reward } from '@podium/messages';
import type { EngineDefinition } from '../../src/evaluation/definition';
import type { HistoryEvent, LinkPeriod } from '../../src/evaluation/history';
import type { Unpayable } from '../../src/evaluation/owed';

/** All that is known of one user of one platform. Ids of events are unique; events are in any order. */
export interface World {
  readonly definitions: readonly EngineDefinition[];
  readonly events: readonly HistoryEvent[];
  readonly links: readonly LinkPeriod[];
  /** Approved rates of the organizer, each pair and day once. */
  readonly rates: readonly WorldRate[];
  /** Lateness horizon, seconds. */
  readonly horizonS: number;
}

/** One unit of `from` was `rate` units of `to` on a UTC day, `2026-11-05`. */
export interface WorldRate {
  readonly from: string;
  readonly to: string;
  readonly day: string;
  /** Plain decimal. */
  readonly rate: string;
}

/** One occurrence that a task owes; those of `every` one by one (`g1:every:7`). */
export interface OracleOwed {
  readonly occurrence: string;
  /** Unix seconds. */
  readonly reachedAt: number;
  /** The version in force at `reachedAt`. */
  readonly version: number;
  /** Null when time decides. */
  readonly decidedById: string | null;
  /** Null when time decides and the user is not linked then. */
  readonly account: string | null;
  readonly reward: Reward | Unpayable;
}
