import { AdmissionOutcome } from '../event/outcome';
import { EventIdentity } from './event-identity';

/** The first event of its id in flight; later ones wait for its outcome. */
export interface Leader {
  readonly content: string;
  readonly outcome: Promise<AdmissionOutcome>;
}

/**
 * Events in flight in this instance, across concurrent batches: an event with the id of another waits for its outcome instead of
 * going to Kafka too. Leaders never wait for followers, so that batches cannot deadlock.
 */
export class InFlightEvents {
  private readonly leaders = new Map<string, LeaderInFlight>();

  /** The leader to follow, or `undefined` when this event is now the leader and must be settled. */
  join(identity: EventIdentity): Leader | undefined {
    const leader = this.leaders.get(identity.recordId);
    if (leader !== undefined) return leader;
    this.leaders.set(identity.recordId, new LeaderInFlight(identity.content));
    return undefined;
  }

  /** Settles a leader, after its mark was set: the next event of the id finds either the leader or the mark. */
  settle(identity: EventIdentity, outcome: AdmissionOutcome): void {
    this.leaders.get(identity.recordId)?.settle(outcome);
    this.leaders.delete(identity.recordId);
  }
}

/** Nearly no event has followers, so the promise is made for the first of them. */
class LeaderInFlight implements Leader {
  private settledWith: AdmissionOutcome | undefined;
  private waiting: Promise<AdmissionOutcome> | undefined;
  private resolve: ((outcome: AdmissionOutcome) => void) | undefined;

  constructor(readonly content: string) {}

  get outcome(): Promise<AdmissionOutcome> {
    if (this.settledWith !== undefined) return Promise.resolve(this.settledWith);
    return (this.waiting ??= new Promise((resolve) => (this.resolve = resolve)));
  }

  settle(outcome: AdmissionOutcome): void {
    this.settledWith = outcome;
    this.resolve?.(outcome);
  }
}
