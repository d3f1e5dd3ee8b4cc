import { LinkedUser, PartnerUnderTest } from '../support/partner-under-test';
import { EventFields } from '../support/partner-api';

/** An event and its responses as the sender knows them. */
export interface SentEvent {
  readonly partner: PartnerUnderTest;
  readonly user: LinkedUser;
  readonly fields: EventFields;
  /** Unix ms of the first post. */
  readonly addedAtMs: number;
  /** Unix ms of each response 200. */
  readonly accepted: number[];
  readonly duplicate: number[];
  /** The number of undecided attempts: 5XX, a broken connection, a timeout. */
  unknown: number;
  /** Responses other than 200, 429 and 5XX. */
  readonly refused: { atMs: number; status: number; code: string }[];
}

/** All sent events with their responses: the partner's view, independent of the service. */
export class SendHistory {
  readonly events = new Map<string, SentEvent>();
  requests = 0;
  rateLimited = 0;
  /** Failed attempts by status or transport error code. */
  readonly trouble = new Map<string, number>();
  /** Undocumented responses with their body, such as a 5XX other than the specification's 503. */
  readonly wrongAnswers: string[] = [];

  /** Requests without a response within the gateway's deadline; gateways count from 1. */
  readonly unanswered: { gateway: number; sentAtMs: number }[] = [];

  add(partner: PartnerUnderTest, user: LinkedUser, fields: EventFields): SentEvent {
    const event = {
      partner,
      user,
      fields,
      addedAtMs: Date.now(),
      accepted: [],
      duplicate: [],
      unknown: 0,
      refused: [],
    };
    this.events.set(fields.id, event);
    return event;
  }

  /** Events with at least one response 200. */
  answered(): SentEvent[] {
    return [...this.events.values()].filter(isAnswered);
  }

  countTrouble(kind: string): void {
    this.trouble.set(kind, (this.trouble.get(kind) ?? 0) + 1);
  }

  /** The counts as one line. */
  describe(): string {
    const events = [...this.events.values()];
    const sum = (count: (event: SentEvent) => number): number =>
      events.reduce((total, event) => total + count(event), 0);
    const trouble = [...this.trouble].map(([kind, count]) => `${count} × ${kind}`).join(', ');
    return [
      `${events.length} events in ${this.requests} requests`,
      `${this.answered().length} answered 200 (${sum(({ accepted }) => accepted.length)} accepted, ${sum(({ duplicate }) => duplicate.length)} duplicate)`,
      `${this.rateLimited} × 429`,
      trouble || 'no trouble',
    ].join('; ');
  }

  /** A line for each gateway with requests that it has not answered, by the time since `startedMs`. */
  describeUnanswered(startedMs: number): string[] {
    return [...new Set(this.unanswered.map(({ gateway }) => gateway))].map((gateway) => {
      const times = this.unanswered.filter((each) => each.gateway === gateway).map(({ sentAtMs }) => sentAtMs);
      const [first, last] = [Math.min(...times), Math.max(...times)].map((ms) => ((ms - startedMs) / 1000).toFixed(1));
      return `gateway-${gateway} did not respond to ${times.length} requests, sent ${first} to ${last} s after the start of the load`;
    });
  }
}

/** Whether the sender got a 200 for the event. */
export function isAnswered({ accepted, duplicate }: SentEvent): boolean {
  return accepted.length + duplicate.length > 0;
}
