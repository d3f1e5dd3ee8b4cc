import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../tools/seed/api';
import { nowS } from '../support/partner-api';
import { LinkedUser, PartnerUnderTest } from '../support/partner-under-test';
import { EventPost } from './event-post';
import { SendHistory, SentEvent } from './send-history';

/** In 30 minutes fewer events than are kept singly for a user and name: half of the time the user is not linked. */
const probePauseMs = 500;
// Long enough for several consecutive faults; a change that takes longer is considered stuck.
const timeoutMs = 300_000;

/** One unlinking and the relinking after it, Unix ms. */
export interface LinkChange {
  readonly askedAtMs: number;
  /** When the service confirmed that all of its parts have applied the unlinking. */
  readonly unlinkedAtMs: number;
  readonly relinkAtMs: number;
  readonly relinkedAtMs: number;
}

/** Repeatedly unlinks and relinks one user while sending events of that user, each once. */
export class LinkChanges {
  readonly changes: LinkChange[] = [];
  readonly probes: SentEvent[] = [];
  private isStopped = false;
  private work: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly partner: PartnerUnderTest,
    readonly user: LinkedUser,
    private readonly post: EventPost,
    private readonly history: SendHistory,
    private readonly say: (line: string) => void,
  ) {}

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
      await sleep(probePauseMs);
    }
    await Promise.all(underWay);
  }

  private isChanging = true;

  private async change(): Promise<void> {
    try {
      do await this.unlinkAndRelink();
      while (!this.isStopped);
    } finally {
      this.isChanging = false;
      this.isStopped = true;
    }
  }

  private async unlinkAndRelink(): Promise<void> {
    await sleep(3_000);
    const askedAtMs = Date.now();
    const unlinkedAtMs = await this.persist('the confirmation of the unlinking', () => this.unlinkSince(askedAtMs));
    this.say(
      `unlinked ${this.user.userId}, confirmed ${((unlinkedAtMs - askedAtMs) / 1000).toFixed(1)} s after it was asked for`,
    );
    // Wait past the view's retention and every deadline, so that a wrong acceptance would be detected.
    await sleep(Math.max(0, unlinkedAtMs + 9_000 - Date.now()));
    const relinkAtMs = Date.now();
    await this.persist('relinking', () => this.partner.link(this.user).then(() => true));
    this.changes.push({ askedAtMs, unlinkedAtMs, relinkAtMs, relinkedAtMs: Date.now() });
    this.say(`relinked ${this.user.userId} after ${((Date.now() - relinkAtMs) / 1000).toFixed(1)} s`);
  }

  /**
   * Asks for the unlinking unless it is under way; its time once it is confirmed. A failover to a lagging standby can lose an
   * unlinking that no topic has, so a user asks again. Until the repair, such a standby shows the unlinking before this one.
   */
  private async unlinkSince(askedAtMs: number): Promise<number | undefined> {
    const { state, unlinkedAtMs } = await this.partner.linkOf(this.user);
    if (state !== 'unlinked') await this.partner.unlink(this.user);
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
