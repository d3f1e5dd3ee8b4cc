import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { LinkedUser, PartnerUnderTest } from '../support/partner-under-test';
import { EventFields, nowS } from '../support/partner-api';
import { SeededRandom } from '@podium/testing/seeded-random';
import { EventPost } from './event-post';
import { SendHistory, SentEvent } from './send-history';

// At most this many deliveries wait for a response or a retry; at the limit the partner skips new events.
const maxInFlight = 60;
const duplicateShare = 0.04;
const resendShare = 0.06;
const lateShare = 0.08;

/** Fewer than are kept singly of a user and name (docs/engine.md, limits): only then is every award exact, in whatever order. */
const mostPerName = 1_900;

/** Within the lateness horizon, beyond it, and beyond the retention. */
const defaultLateDays = [2, 40, 100, 400];
const dayS = 86_400;

/** A partner that sends events of its users at a steady rate and retries each until it gets a 200. */
export class EventSender {
  private readonly inFlight = new Set<Promise<void>>();
  private readonly delivered: SentEvent[] = [];
  /** Events by user and name. */
  private readonly counts = new Map<string, number>();
  private isStopped = false;
  private hasGivenUp = false;
  private loop: Promise<void> = Promise.resolve();

  constructor(
    private readonly parts: {
      partner: PartnerUnderTest;
      users: readonly LinkedUser[];
      post: EventPost;
      history: SendHistory;
      random: SeededRandom;
      /** New events per second, not counting concurrent duplicates, resends and retries. */
      ratePerS: number;
      /** Ages of late events, days. */
      lateDays?: readonly number[];
      /** A new event; by default a deposit, a bet or a badge. */
      newEvent?: () => EventFields;
    },
  ) {}

  start(): void {
    this.loop = this.makeEvents();
  }

  /** Stops new events and waits for a 200 for those in flight; returns the ids of those without one in time. */
  async finish(timeoutMs: number): Promise<string[]> {
    this.isStopped = true;
    await this.loop;
    const all = Promise.all(this.inFlight);
    await Promise.race([all, sleep(timeoutMs, undefined, { ref: false })]);
    this.hasGivenUp = true;
    await all;
    return [...this.parts.history.events.values()]
      .filter(({ partner, user }) => partner === this.parts.partner && this.parts.users.includes(user))
      .filter(({ accepted, duplicate }) => accepted.length + duplicate.length === 0)
      .map(({ fields }) => fields.id);
  }

  private async makeEvents(): Promise<void> {
    const { random, ratePerS } = this.parts;
    const startedMs = performance.now();
    for (let made = 1; !this.isStopped; made++) {
      await sleep(Math.max(0, startedMs + (made * 1000) / ratePerS - performance.now()));
      if (this.inFlight.size >= maxInFlight) continue;
      if (this.delivered.length > 0 && random.chance(resendShare))
        this.track(this.deliver(random.pick(this.delivered)));
      this.track(this.deliverNew());
    }
  }

  private async deliverNew(): Promise<void> {
    const { partner, users, history, random } = this.parts;
    const fields = this.parts.newEvent?.() ?? this.newEvent();
    const user = random.pick(users);
    const key = `${fields.name} ${user.userId}`;
    const count = this.counts.get(key) ?? 0;
    if (count >= mostPerName) return;
    this.counts.set(key, count + 1);
    const event = history.add(partner, user, fields);
    // Duplicates are sent concurrently, through both gateways.
    await Promise.all(
      random.chance(duplicateShare) ? [this.deliver(event, 0), this.deliver(event, 1)] : [this.deliver(event)],
    );
    this.delivered.push(event);
  }

  private async deliver(event: SentEvent, gateway?: number): Promise<void> {
    const { post, random } = this.parts;
    for (let first = true; !this.hasGivenUp; first = false) {
      const result = await post.post(event, first ? gateway : undefined);
      if (result.kind !== 'again') return;
      await sleep(result.pauseMs * random.between(0.8, 1.2));
    }
  }

  private track(delivery: Promise<void>): void {
    this.inFlight.add(delivery);
    void delivery.finally(() => this.inFlight.delete(delivery));
  }

  /** A random event: mostly current, some from months within the retention and some from before it. */
  private newEvent(): EventFields {
    const { random } = this.parts;
    const daysAgo = random.chance(lateShare) ? random.pick(this.parts.lateDays ?? defaultLateDays) : 0;
    const created_at = nowS() - Math.floor(random.between(0, 5)) - daysAgo * dayS;
    const id = randomUUID();
    if (random.chance(0.6))
      return {
        id,
        name: 'deposit',
        created_at,
        attributes: [{ name: 'amount', value: random.between(1, 500).toFixed(2) }],
      };
    return { id, name: random.chance(0.9) ? 'bet' : 'badge', created_at, attributes: [] };
  }
}
