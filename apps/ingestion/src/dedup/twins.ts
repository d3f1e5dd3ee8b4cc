import { AdmissionOutcome } from '../admission/outcome';
import { EventIdentity } from './event-identity';

/** An event in hand: the first of its id leads, later ones wait for its outcome. */
export interface Lead {
  readonly content: string;
  readonly outcome: Promise<AdmissionOutcome>;
}

/**
 * Twins inside this instance, also across concurrent batches: while an event is in hand, another of the same id waits for
 * its outcome instead of going to Kafka beside it. Leaders never wait for followers, so that batches cannot wait in a ring.
 */
export class Twins {
  private readonly leads = new Map<string, Lead & { settle: (outcome: AdmissionOutcome) => void }>();

  /** The leader to follow, or `undefined` when this event leads from now on and must be settled. */
  join(identity: EventIdentity): Lead | undefined {
    const lead = this.leads.get(identity.recordId);
    if (lead !== undefined) return lead;
    let settle: (outcome: AdmissionOutcome) => void = () => undefined;
    const outcome = new Promise<AdmissionOutcome>((resolve) => (settle = resolve));
    this.leads.set(identity.recordId, { content: identity.content, outcome, settle });
    return undefined;
  }

  /** Ends a lead: after its mark, so that whoever comes next finds the one or the other. */
  settle(identity: EventIdentity, outcome: AdmissionOutcome): void {
    this.leads.get(identity.recordId)?.settle(outcome);
    this.leads.delete(identity.recordId);
  }
}
