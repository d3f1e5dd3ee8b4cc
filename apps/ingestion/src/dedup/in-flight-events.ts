import { AdmissionOutcome } from '../event/outcome';
import { EventIdentity } from './event-identity';

/** An event with its outcome. */
export interface SettledEvent {
  readonly identity: EventIdentity;
  readonly outcome: AdmissionOutcome;
}

/** The batch that settles an id in flight; events of other batches wait for it. */
export interface Leader {
  /** The event that decides about the id: the one that was published, otherwise the first. */
  readonly settled: Promise<SettledEvent>;
}

/**
 * Ids in flight in this instance, across concurrent batches: an event whose id another batch leads waits for the outcome
 * instead of going to Kafka too. Leaders never wait for followers, so that batches cannot deadlock.
 */
export class InFlightEvents {
  private readonly leaders = new Map<string, LeaderInFlight>();

  /** The leader to follow, or `undefined` when the caller now leads the id and must settle it. */
  join({ recordId }: EventIdentity): Leader | undefined {
    const leader = this.leaders.get(recordId);
    if (leader !== undefined) return leader;
    this.leaders.set(recordId, new LeaderInFlight());
    return undefined;
  }

  /** Settles an id, after the mark was set: the next event of the id finds either the leader or the mark. */
  settle(event: SettledEvent): void {
    const { recordId } = event.identity;
    this.leaders.get(recordId)?.settle(event);
    this.leaders.delete(recordId);
  }
}

/** Nearly no event has followers, so the promise is made for the first of them. */
class LeaderInFlight implements Leader {
  private event: SettledEvent | undefined;
  private waiting: Promise<SettledEvent> | undefined;
  private resolve: ((event: SettledEvent) => void) | undefined;

  get settled(): Promise<SettledEvent> {
    if (this.event !== undefined) return Promise.resolve(this.event);
    return (this.waiting ??= new Promise((resolve) => (this.resolve = resolve)));
  }

  settle(event: SettledEvent): void {
    this.event = event;
    this.resolve?.(event);
  }
}
