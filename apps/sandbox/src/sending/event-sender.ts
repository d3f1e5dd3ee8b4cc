import { randomUUID } from 'node:crypto';
import { request } from 'undici';
import { Account } from '@podium/simulated-partner';
import { Partner, QueuedEvent } from '../partners/partner';
import { Partners } from '../partners/partners';

/** The scope of a resynchronization (specification, Flow rules 6); by default all linked accounts and all times. */
export interface Resynchronization {
  subs?: string[];
  /** Unix seconds, inclusive. */
  from?: number;
  to?: number;
}

/** Above it the oldest accepted events are forgotten; those that still wait are not. */
const maxEventsPerPartner = 10_000;
const maxConcurrentSends = 8;

/** Sends a partner's events by the flow rules: initial facts after linking and every new fact, each until it is accepted. */
export class EventSender {
  private timer: NodeJS.Timeout | undefined;
  private sending = new Set<string>();
  private stopped = false;

  constructor(
    private readonly partners: Partners,
    private readonly now: () => number = Date.now,
  ) {}

  start(): void {
    this.timer = setInterval(() => this.sendDue(), 100);
  }

  stop(): void {
    this.stopped = true;
    clearInterval(this.timer);
  }

  /** Called when the service has read an account's user info: from now on its events are sent, the initial ones at once. */
  accountLinked(partner: Partner, account: Account): void {
    if (partner.linked.includes(account.sub)) return;
    partner.linked.push(account.sub);
    for (const fact of partner.initial_facts) this.add(partner, account.sub, fact.name, fact.attributes);
    this.partners.changed();
  }

  /** Queues a new fact about an account. */
  add(
    partner: Partner,
    sub: string,
    name: string,
    attributes: QueuedEvent['attributes'],
    createdAtS?: number,
  ): QueuedEvent {
    const event: QueuedEvent = {
      id: randomUUID(),
      sub,
      name,
      created_at: createdAtS ?? Math.floor(this.now() / 1000),
      attributes,
      attempts: 0,
      next_at: 0,
      accepted: false,
      last_answer: '',
    };
    partner.events.push(event);
    if (partner.events.length > maxEventsPerPartner) forgetOldestAccepted(partner.events);
    this.partners.changed();
    setImmediate(() => this.sendDue());
    return event;
  }

  /** Resends known events with their old ids; returns how many. */
  resynchronize(partner: Partner, scope: Resynchronization): number {
    const again = partner.events.filter(
      (event) =>
        (!scope.subs || scope.subs.includes(event.sub)) &&
        event.created_at >= (scope.from ?? 0) &&
        event.created_at <= (scope.to ?? Number.MAX_SAFE_INTEGER),
    );
    for (const event of again) Object.assign(event, { accepted: false, next_at: 0 });
    setImmediate(() => this.sendDue());
    return again.length;
  }

  /** Sends an event again with its id, as after a lost answer. */
  sendAgain(partner: Partner, id: string): void {
    const event = partner.events.find((each) => each.id === id);
    if (event) Object.assign(event, { accepted: false, next_at: 0 });
    setImmediate(() => this.sendDue());
  }

  private sendDue(): void {
    for (const partner of this.partners.all()) {
      if (!partner.sending || this.stopped) continue;
      for (const event of partner.events) {
        if (this.sending.size >= maxConcurrentSends) return;
        if (event.accepted || event.next_at > this.now() || this.sending.has(event.id)) continue;
        this.sending.add(event.id);
        void this.send(partner, event).finally(() => this.sending.delete(event.id));
      }
    }
  }

  private async send(partner: Partner, event: QueuedEvent): Promise<void> {
    const sending = partner.sending;
    if (!sending) return;
    event.attempts += 1;
    let retryAfterS = Math.min(2 ** event.attempts, 60);
    try {
      const answer = await request(sending.send_event_url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${sending.event_api_key}` },
        body: JSON.stringify({
          platform_user_id: event.sub,
          platform: sending.platform,
          event: { id: event.id, name: event.name, created_at: event.created_at, attributes: event.attributes },
        }),
        headersTimeout: 10_000,
        bodyTimeout: 10_000,
      });
      event.last_answer = `${answer.statusCode} ${(await answer.body.text()).slice(0, 300)}`;
      event.accepted = answer.statusCode === 200;
      // Retry-After is an upper limit here: in development no one should wait an hour for a contract to be published.
      const header = Number(answer.headers['retry-after']);
      if (header > 0) retryAfterS = Math.min(header, event.attempts < 20 ? 1 : 30);
    } catch (error) {
      event.last_answer = `not sent: ${(error as Error).message}`;
    }
    event.next_at = this.now() + retryAfterS * 1000;
    this.partners.changed();
  }
}

function forgetOldestAccepted(events: QueuedEvent[]): void {
  const at = events.findIndex(({ accepted }) => accepted);
  if (at >= 0) events.splice(at, 1);
}
