import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../tools/seed/api';
import { nowS } from '../support/partner-api';
import { LinkedUser, PartnerUnderTest } from '../support/partner-under-test';
import { EventPost } from './event-post';
import { SendHistory, SentEvent } from './send-history';

/** Events of a user who is unlinked and relinked, per second. */
export const probesPerS = 2;
// Long enough for several consecutive faults; a change that takes longer is considered stuck.
const timeoutMs = 300_000;

/** One unlinking and the relinking after it, Unix ms. */
export interface LinkChange {
  readonly user: LinkedUser;
  readonly askedAtMs: number;
  /** When the service confirmed that all of its parts have applied the unlinking. */
  readonly unlinkedAtMs: number;
  readonly relinkAtMs: number;
  readonly relinkedAtMs: number;
}

/** Repeatedly unlinks and relinks one user after the other while sending events of that user, each once. */
export class LinkChanges {
  readonly changes: LinkChange[] = [];
  readonly probes: SentEvent[] = [];
  private isStopped = false;
  private work: Promise<unknown> = Promise.resolve();
  private user: LinkedUser;

  constructor(
    private readonly partner: PartnerUnderTest,
    private readonly users: readonly LinkedUser[],
    private readonly post: EventPost,
    private readonly history: SendHistory,
    private readonly say: (line: string) => void,
  ) {
    this.user = users[0];
  }

  start(): void {
    this.work = Promise.all([this.probe(), this.change()]);
    // Reported by `finish`.
    this.work.catch(() => undefined);
  }

  /** Stops after the current change. */
  async finish(): Promise<void> {
    this.isStopped = true;
    await this.work;
  }

  private async probe(): Promise<void> {
    const underWay = new Set<Promise<unknown>>();
    while (!this.isStopped || this.isChanging) {
      const event = this.history.add(this.partner, this.user, {
        id: randomUUID(),
        name: 'deposit',
        created_at: nowS(),
        attributes: [],
      });
      this.probes.push(event);
      const sent = this.post.post(event);
      underWay.add(sent);
      void sent.finally(() => underWay.delete(sent));
      await sleep(1_000 / probesPerS);
    }
    await Promise.all(underWay);
  }

  private isChanging = true;

  private async change(): Promise<void> {
    try {
      do {
        this.user = this.users[this.changes.length % this.users.length];
        await this.unlinkAndRelink(this.user);
      } while (!this.isStopped);
    } finally {
      this.isChanging = false;
      this.isStopped = true;
    }
  }

  private async unlinkAndRelink(user: LinkedUser): Promise<void> {
    await sleep(3_000);
    const askedAtMs = Date.now();
    const unlinkedAtMs = await this.persist('the confirmation of the unlinking', () =>
      this.unlinkSince(user, askedAtMs),
    );
    this.say(
      `unlinked ${user.userId}, confirmed ${((unlinkedAtMs - askedAtMs) / 1000).toFixed(1)} s after it was asked for`,
    );
    // Wait past the view's retention and every deadline, so that a wrong acceptance would be detected.
    await sleep(Math.max(0, unlinkedAtMs + 9_000 - Date.now()));
    const relinkAtMs = Date.now();
    await this.persist('relinking', () => this.partner.link(user).then(() => true));
    this.changes.push({ user, askedAtMs, unlinkedAtMs, relinkAtMs, relinkedAtMs: Date.now() });
    this.say(`relinked ${user.userId} after ${((Date.now() - relinkAtMs) / 1000).toFixed(1)} s`);
  }

  /**
   * Asks for the unlinking unless it is under way; its time once it is confirmed. A failover to a lagging standby can lose an
   * unlinking that no topic has, so a user asks again. Until the repair, such a standby shows the unlinking before this one.
   */
  private async unlinkSince(user: LinkedUser, askedAtMs: number): Promise<number | undefined> {
    const { state, unlinkedAtMs } = await this.partner.linkOf(user);
    if (state !== 'unlinked') await this.partner.unlink(user);
    return unlinkedAtMs !== null && unlinkedAtMs >= askedAtMs ? unlinkedAtMs : undefined;
  }

  /** Retries until the action has a result, as a user does during faults. */
  private async persist<T>(what: string, action: () => Promise<T | undefined>): Promise<T> {
    let lastError: unknown;
    try {
      return await until(what, timeoutMs, () =>
        action().catch((error: unknown) => {
          lastError = error;
          return undefined;
        }),
      );
    } catch (error) {
      throw new Error((error as Error).message, { cause: lastError });
    }
  }
}
