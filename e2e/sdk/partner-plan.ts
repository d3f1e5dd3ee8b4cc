/** What a partner's process of a check does; both SDKs read it as JSON from their only argument. */
export interface PartnerPlan {
  readonly url: string;
  readonly platform: string;
  /** Folder of the queue, which the next process goes on with. */
  readonly folder: string;
  /** File with the id of every confirmed event, one per line. */
  readonly confirmedFile: string;
  /** Ids are `<prefix>-<number>`, from 0. */
  readonly prefix: string;
  readonly events: number;
  /** Linked accounts, whose events take turns. */
  readonly accounts: readonly string[];
  /** Account that is not linked yet; every `lateEvery`-th event is of it. */
  readonly lateAccount: string;
  readonly lateEvery: number;
  /** Every `singleEvery`-th event goes out by `send`, until it is accepted; all others by `enqueue`. */
  readonly singleEvery: number;
  /** Most events that are handed over in a second. */
  readonly enqueuePerSecond: number;
  /** Unix seconds. */
  readonly createdAt: number;
}

/** A line that a partner's process prints. */
export type PartnerLine =
  /** All events are confirmed, and the queue holds only those of the late account. */
  | { readonly type: 'drained'; readonly setAside: number }
  /** The queue is empty and closed. */
  | {
      readonly type: 'finished';
      /** Events that this process has seen accepted, and how long that took from the first hand-over. */
      readonly accepted: number;
      readonly tookMs: number;
      readonly limited: number;
    };

/** The event's name in the contract of the checks. */
export const eventName = 'deposit';

/** The account of an event. */
export function accountOf(plan: PartnerPlan, number: number): string {
  if (number % plan.lateEvery === plan.lateEvery - 1) return plan.lateAccount;
  return plan.accounts[number % plan.accounts.length];
}
