import { randomUUID } from 'node:crypto';
import { call, until } from '../../tools/seed/api';
import { WholeStack } from '../../tools/stack/whole-stack';
import { waitForDrain } from '../faults/wait-for-drain';
import { EventPost } from '../faults/event-post';
import { SendHistory, SentEvent } from '../faults/send-history';
import { CountedTask } from '../faults/find-violations';
import { PartnerApi, nowS } from '../support/partner-api';
import { ContractedEvent, LinkedUser, PartnerUnderTest, countingTask, mintToken } from '../support/partner-under-test';
import { SeededRandom } from '@podium/testing/seeded-random';
import { BonusEngine } from './bonus-engine';

const deposit: ContractedEvent = { name: 'deposit', kind: 'repeatable', attributes: [] };
const bet: ContractedEvent = { name: 'bet', kind: 'repeatable', attributes: [] };
const drainTimeoutMs = 60_000;

/** Partners, users and their events before and after the point in time to which the database is restored. */
export class RestoreStory {
  readonly history = new SendHistory();
  readonly tasks: CountedTask[] = [];
  /** A user linked before the restore point and erased after it; the history does not contain its events. */
  forgotten!: LinkedUser;
  private readonly post: EventPost;
  private readonly engine: BonusEngine;

  private constructor(
    private readonly stack: WholeStack,
    readonly partner: PartnerUnderTest,
    readonly operatorToken: string,
    readonly segmentId: string,
  ) {
    this.post = new EventPost([stack.services.publicUrl], this.history, new SeededRandom(1));
    this.engine = new BonusEngine(stack.infrastructure.addresses.kafka_brokers);
  }

  /** Sets up a partner with five users, two tasks and a segment of users with three deposits. */
  static async begin(stack: WholeStack): Promise<RestoreStory> {
    const partner = await PartnerUnderTest.setUp(stack, {
      platform: 'restored',
      contract: [deposit],
      users: 5,
      keys: 2,
    });
    const token = await mintToken(stack.services.first('sandbox').url, 'restorer', { '*': 'admin' });
    const admin = `${stack.services.publicUrl}/admin/v1`;
    const { segment_id } = await call<{ segment_id: string }>('POST', `${admin}/segments`, {
      token,
      body: {
        platform: partner.platform,
        name: 'Three deposits',
        condition: { count: { event: 'deposit' }, window: { lifetime: true }, op: 'gte', value: 3 },
      },
    });
    await partner.publish(`/segments/${segment_id}`);
    const story = new RestoreStory(stack, partner, token, segment_id);
    for (const every of [1, 5]) await story.addTask('deposit', every);
    return story;
  }

  /** Creates the data of the base backup. */
  async beforeBackup(): Promise<void> {
    for (const user of this.partner.users.slice(0, 4)) await this.send(user, 'deposit', 2);
    this.forgotten = await this.partner.addUser('forgotten-user');
    this.partner.users.pop();
    await this.answerTo(this.forgotten, 'deposit');
    await this.drain();
  }

  /** Creates the data that only the archive has. */
  async beforeTarget(): Promise<void> {
    for (const user of this.partner.users.slice(0, 3)) await this.send(user, 'deposit', 2);
    await this.drain();
    await this.engine.answer(0.5);
    await this.drain();
  }

  /**
   * Creates data that only the topics have after the restore: events, awards and answers, an unlinked user, a relinked one, a new
   * one, an erased one, a revoked key, a contract version, a task and a partner.
   */
  async afterTarget(): Promise<{ late: LinkedUser; latePartner: PartnerUnderTest }> {
    const [leaving, returning, ...staying] = this.partner.users;
    for (const user of [leaving, returning, ...staying]) await this.send(user, 'deposit', 3);
    await this.partner.publishContract([deposit, bet]);
    await this.addTask('bet', 1);
    const late = await this.partner.addUser('late-user');
    await this.send(late, 'deposit', 6);
    await this.send(staying[0], 'bet', 1);
    for (const user of [leaving, returning]) {
      await this.partner.unlink(user);
      await until('the end of the link', 30_000, async () =>
        (await this.partner.linkOf(user)).unlinkedAtMs === null ? undefined : true,
      );
    }
    await this.partner.link(returning);
    await this.send(returning, 'deposit', 1);
    await this.revokeSecondKey();
    await this.answerTo(this.forgotten, 'deposit');
    await this.drain();
    await this.forget();
    const latePartner = await PartnerUnderTest.setUp(this.stack, {
      platform: 'late-partner',
      contract: [deposit],
      users: 1,
    });
    await this.send(latePartner.users[0], 'deposit', 2, latePartner);
    await this.drain();
    await this.engine.answer(0.7);
    await this.drain();
    return { late, latePartner };
  }

  /** Sends events that engagement has not read when the database is lost. */
  async whileEngagementIsAway(): Promise<void> {
    for (const user of this.partner.users.slice(2, 5)) await this.send(user, 'deposit', 2);
  }

  /** Resumes the definitions that a restore has paused, as an operator does after a check. */
  async resumeDefinitions(): Promise<void> {
    const paths = [...this.tasks.map(({ taskId }) => `tasks/${taskId}`), `segments/${this.segmentId}`];
    for (const path of paths)
      await call('POST', `${this.stack.services.publicUrl}/admin/v1/${path}/resume`, {
        token: this.operatorToken,
        body: {},
      });
  }

  /** Sends events of a user and retries each until it is accepted. */
  async send(user: LinkedUser, name: string, count: number, partner = this.partner): Promise<void> {
    const events = Array.from({ length: count }, () =>
      this.history.add(partner, user, { id: randomUUID(), name, created_at: nowS(), attributes: [] }),
    );
    await Promise.all(events.map((event) => this.deliver(event)));
  }

  /** Sends one more event and returns the response. */
  async answerTo(user: LinkedUser, name: string, key = this.partner.keys[0], partner = this.partner) {
    const api = new PartnerApi(this.stack.services.publicUrl, key, partner.platform);
    const fields = { id: randomUUID(), name, created_at: nowS(), attributes: [] };
    const answer = await api.send(user.platformUserId, fields);
    if (answer.status === 200 && user !== this.forgotten)
      this.history.add(partner, user, fields).accepted.push(Date.now());
    return answer;
  }

  drain(): Promise<number> {
    return waitForDrain(this.stack.infrastructure.addresses, drainTimeoutMs);
  }

  close(): Promise<void> {
    return this.post.close();
  }

  private async addTask(event: string, every: number): Promise<void> {
    const taskId = await this.partner.addTask(countingTask(event, every));
    this.tasks.push({ taskId, platform: this.partner.platform, event, every, startsAtS: 0 });
  }

  private async deliver(event: SentEvent): Promise<void> {
    await until(`${event.fields.id} being taken`, 30_000, async () => {
      const result = await this.post.post(event);
      if (result.kind === 'refused') throw new Error(`refused: ${JSON.stringify(event.refused)}`);
      return result.kind === 'taken' ? true : undefined;
    });
  }

  private async forget(): Promise<void> {
    const erasures = `${this.stack.services.publicUrl}/admin/v1/erasures`;
    const { token, body } = { token: this.operatorToken, body: { user_id: this.forgotten.userId } };
    const { erasure_id } = await call<{ erasure_id: string }>('POST', erasures, { token, body });
    await until('the erasure being complete', 30_000, async () => {
      const { state } = await call<{ state: string }>('GET', `${erasures}/${erasure_id}`, { token });
      return state === 'complete' ? true : undefined;
    });
  }

  private async revokeSecondKey(): Promise<void> {
    const [, key] = this.partner.keys;
    const keyId = key.split('_')[3];
    await call('POST', `${this.stack.services.publicUrl}/admin/v1/keys/${keyId}/revoke`, {
      token: this.operatorToken,
      body: {},
    });
    await until('the key being refused', 15_000, async () =>
      (await new PartnerApi(this.stack.services.publicUrl, key, this.partner.platform).post('{}')).status === 401
        ? true
        : undefined,
    );
  }
}
