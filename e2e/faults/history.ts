import { LinkedUser, PartnerUnderTest } from '../support/partner-under-test';
import { EventFields } from '../support/partner-api';

/** What the sender knows of one event that it has sent. */
export interface SentEvent {
  readonly partner: PartnerUnderTest;
  readonly user: LinkedUser;
  readonly fields: EventFields;
  /** Unix ms: it is posted from then on. */
  readonly addedAtMs: number;
  /** Answers 200, Unix ms of their arrival. */
  readonly accepted: number[];
  readonly duplicate: number[];
  /** Answers that leave open whether the event was taken: 5XX, a broken connection, a timeout. */
  unknown: number;
  /** Other answers than 200, 429 and 5XX. */
  readonly refused: { atMs: number; status: number; code: string }[];
}

/** All that was sent, with what was answered: what the partner's side knows, independent of the service. */
export class SendHistory {
  readonly events = new Map<string, SentEvent>();
  requests = 0;
  rateLimited = 0;
  /** By status, or the transport's error code. */
  readonly trouble = new Map<string, number>();
  /** 5XX answers that are not the 503 of the specification's table, with their body. */
  readonly wrongAnswers: string[] = [];

  /** Requests that a gateway left without an answer for longer than its deadline; gateways count from 1. */
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

  /** Events that were answered 200 at least once. */
  answered(): SentEvent[] {
    return [...this.events.values()].filter(isAnswered);
  }

  countTrouble(kind: string): void {
    this.trouble.set(kind, (this.trouble.get(kind) ?? 0) + 1);
  }

  /** One line of numbers. */
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
}

/** Whether the sender was told that the service has the event. */
export function isAnswered({ accepted, duplicate }: SentEvent): boolean {
  return accepted.length + duplicate.length > 0;
}
