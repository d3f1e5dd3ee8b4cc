import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../tools/seed/api';
import { nowS } from '../support/partner-api';
import { LinkedUser, PartnerUnderTest } from '../support/partner-under-test';
import { EventPost } from './event-post';
import { SendHistory, SentEvent } from './send-history';

/** In 20 minutes fewer events than are kept singly for a user and name. */
const probePauseMs = 300;
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
    await this.persist('unlinking', () => this.unlink());
    const unlinkedAtMs = await until('the confirmation of the unlinking', timeoutMs, () =>
      this.partner.linkOf(this.user).then(
        (link) => (link.unlinkedAtMs !== null && link.unlinkedAtMs >= askedAtMs ? link.unlinkedAtMs : undefined),
        () => undefined,
      ),
    );
    this.say(
      `unlinked ${this.user.userId}, confirmed ${((unlinkedAtMs - askedAtMs) / 1000).toFixed(1)} s after it was asked for`,
    );
    // Wait past the view's retention and every deadline, so that a wrong acceptance would be detected.
    await sleep(Math.max(0, unlinkedAtMs + 9_000 - Date.now()));
    const relinkAtMs = Date.now();
    await this.persist('relinking', () => this.partner.link(this.user));
    this.changes.push({ askedAtMs, unlinkedAtMs, relinkAtMs, relinkedAtMs: Date.now() });
    this.say(`relinked ${this.user.userId} after ${((Date.now() - relinkAtMs) / 1000).toFixed(1)} s`);
  }

  /** If the response is lost the user may already be unlinked; then the repeated request finds no link. */
  private async unlink(): Promise<void> {
    try {
      await this.partner.unlink(this.user);
    } catch (error) {
      if ((await this.partner.linkOf(this.user)).state !== 'unlinked') throw error;
    }
  }

  /** Retries, as a user does during faults. */
  private async persist(what: string, action: () => Promise<void>): Promise<void> {
    let lastError: unknown;
    try {
      await until(what, timeoutMs, () =>
        action().then(
          () => true,
          (error: unknown) => void (lastError = error),
        ),
      );
    } catch (error) {
      throw new Error((error as Error).message, { cause: lastError });
    }
  }
}
