import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { recordKey, topics } from '@podium/messages';
import { partitionOf } from '@podium/runtime/kafka';
import { Client } from 'pg';
import { nowS } from '../support/partner-api';
import { LinkedUser, PartnerUnderTest, StackWithServices, countingTask } from '../support/partner-under-test';
import { laggingGroups } from './wait-for-drain';
import { EventPost } from './event-post';
import { SendHistory } from './send-history';
import { CountedTask } from './find-violations';

/** A user of the probe; each posted event must give one award. */
interface ProbeUser {
  readonly user: LinkedUser;
  events: number;
}

interface ProbeParts {
  readonly post: EventPost;
  readonly history: SendHistory;
  readonly databaseUrl: () => string;
  readonly brokers: () => string;
}

const timeoutMs = 300_000;
const pauseMs = 100;
const platform = 'probe';

/** Probes the event flow end to end: one user for each partition, and a task that awards each event. */
export class RecoveryProbe {
  private constructor(
    private readonly partner: PartnerUnderTest,
    private readonly users: readonly ProbeUser[],
    readonly task: CountedTask,
    private readonly parts: ProbeParts,
  ) {}

  /** Sets up the probe's partner. */
  static async setUp(stack: StackWithServices, parts: ProbeParts): Promise<RecoveryProbe> {
    const contract = [{ name: 'deposit', kind: 'repeatable', attributes: [] }] as const;
    const partner = await PartnerUnderTest.setUp(stack, { platform, contract, users: 0 });
    const users = new Map<number, ProbeUser>();
    for (let number = 1; users.size < topics.userEvents.partitions; number++) {
      const user = await partner.addUser(`probe-user-${number}`);
      const partition = partitionOf(recordKey(platform, user.platformUserId), topics.userEvents.partitions);
      if (!users.has(partition)) users.set(partition, { user, events: 0 });
    }
    const taskId = await partner.addTask(countingTask('deposit', 1));
    const task = { taskId, platform, event: 'deposit', every: 1, startsAtS: 0 };
    return new RecoveryProbe(partner, [...users.values()], task, parts);
  }

  /**
   * Waits until a new event of each partition got a 200 and was applied, its award was acknowledged by the brokers, operators can
   * read a link, the views of links have caught up, and the conditions hold. Resolves with the Unix ms of that moment; rejects
   * after five minutes with the missing condition.
   */
  async waitUntilRecovered(conditions: readonly (() => Promise<boolean>)[]): Promise<number> {
    const deadlineMs = Date.now() + timeoutMs;
    await Promise.all([
      ...this.users.map((user, at) => this.deliver(user, at, deadlineMs)),
      this.persist('operators reading a link', deadlineMs, () =>
        this.partner.linkOf(this.users[0].user).then(() => true),
      ),
    ]);
    await this.persist('the awards of the probe being published', deadlineMs, () => this.arePublished());
    await this.persist('the views of links catching up', deadlineMs, async () => {
      const lagging = await laggingGroups(this.parts.brokers(), [topics.links.name]);
      if (lagging.length > 0) throw new Error(lagging.join('; '));
      return true;
    });
    for (const condition of conditions) await this.persist('the condition of the fault', deadlineMs, condition);
    return Date.now();
  }

  private async deliver(probe: ProbeUser, gateway: number, deadlineMs: number): Promise<void> {
    const { post, history } = this.parts;
    const fields = { id: randomUUID(), name: 'deposit', created_at: nowS(), attributes: [] };
    const event = history.add(this.partner, probe.user, fields);
    probe.events++;
    let attempt = gateway;
    await this.persist(`an event of partition ${gateway} being answered 200`, deadlineMs, async () => {
      const result = await post.post(event, attempt++);
      if (result.kind === 'refused') throw new Error(`the probe was refused: ${JSON.stringify(event.refused)}`);
      return result.kind === 'taken';
    });
  }

  /** Awards that engagement has stored and that are no longer in its outbox were acknowledged by the brokers. */
  private async arePublished(): Promise<boolean> {
    const client = new Client({ connectionString: this.parts.databaseUrl(), connectionTimeoutMillis: 3_000 });
    client.on('error', () => undefined);
    await client.connect();
    try {
      const { rows } = await client.query<{ user: string; count: number }>(
        `SELECT user_id AS user, count(*)::int AS count FROM engagement.awards WHERE platform = $1 GROUP BY user_id`,
        [platform],
      );
      const awards = new Map(rows.map(({ user, count }) => [user, count]));
      if (this.users.some(({ user, events }) => (awards.get(user.userId) ?? 0) < events)) return false;
      const keys = this.users.map(({ user }) => recordKey(platform, user.userId));
      const waiting = await client.query('SELECT FROM engagement.outbox WHERE key = ANY($1) LIMIT 1', [keys]);
      return waiting.rowCount === 0;
    } finally {
      await client.end();
    }
  }

  private async persist(what: string, deadlineMs: number, ask: () => Promise<boolean>): Promise<void> {
    let problem = '';
    const isThere = (): Promise<boolean> => {
      problem = '';
      return ask().catch((error: Error) => {
        problem = error.message;
        return false;
      });
    };
    while (!(await isThere())) {
      if (Date.now() > deadlineMs) throw new Error(`not recovered after ${timeoutMs / 1000} s: ${what}. ${problem}`);
      await sleep(pauseMs);
    }
  }
}
