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
  private readonly leaders = new Map<string, Leader & { settle: (outcome: AdmissionOutcome) => void }>();

  /** The leader to follow, or `undefined` when this event is now the leader and must be settled. */
  join(identity: EventIdentity): Leader | undefined {
    const leader = this.leaders.get(identity.recordId);
    if (leader !== undefined) return leader;
    let settle: (outcome: AdmissionOutcome) => void = () => undefined;
    const outcome = new Promise<AdmissionOutcome>((resolve) => (settle = resolve));
    this.leaders.set(identity.recordId, { content: identity.content, outcome, settle });
    return undefined;
  }

  /** Settles a leader, after its mark was set: the next event of the id finds either the leader or the mark. */
  settle(identity: EventIdentity, outcome: AdmissionOutcome): void {
    this.leaders.get(identity.recordId)?.settle(outcome);
    this.leaders.delete(identity.recordId);
  }
}
