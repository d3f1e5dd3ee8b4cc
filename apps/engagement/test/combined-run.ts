import { LinkData } from '@podium/messages';
import { Registry } from '@podium/runtime/metrics';
import { inTransaction } from '@podium/runtime/postgres';
import type { Operator } from '@podium/runtime/http';
import { userEvent } from '@podium/testing/user-event';
import { UnissuedService } from '../src/approvals/unissued.service';
import { raiseTotal } from '../src/budgets/raise-total';
import type { DefinitionsService } from '../src/definitions/definitions.service';
import { settleDue } from '../src/due/settle-due';
import { sweepDefinitions } from '../src/due/sweep-definitions';
import { type TaskBody, type TaskDefinition, horizonS } from '../src/evaluation/definition';
import type { HistoryEvent, LinkPeriod } from '../src/evaluation/history';
import { EngagementMetrics } from '../src/metrics/engagement-metrics';
import type { AppliedTables } from './applied-tables';
import { AwardTables } from './award-tables';
import { readPublishedAfter, readUnissuedRows } from './combined-rows';
import { type CombinedStep, type PublishedEntry, type UnissuedRow, beginS, users } from './combined-steps';
import { type World, capOf } from './oracle';

const taskId = '00000000-0000-4000-8000-0000000000aa';
const dayS = 86_400;
const approver: Operator = { operatorId: 'approver', roles: new Map([['organizer-1', ['approver']]]) };
const specs: TaskDefinition['specs'] = {
  deposit: { amount: { type: 'decimal' } },
  kyc: { status: { type: 'string' } },
};

/** The users of one task, whose accounts move between them, with the tables of the engine. */
export class CombinedRun {
  /** In the order in which they were published. */
  readonly published: PublishedEntry[] = [];
  publishedInStep: readonly PublishedEntry[] = [];
  /** The greatest `max_per_user` that any version stated. */
  highestCap: number;
  /** A reversal that the bonus engine rejected brings an award back whose place and account may be taken by then. */
  hasRejectedReversal = false;
  private readonly links = new Map<string, LinkPeriod[]>(users.map((user) => [user, []]));
  private readonly events = new Map<string, HistoryEvent[]>(users.map((user) => [user, []]));
  private readonly awards: AwardTables;
  private readonly unissued: UnissuedService;
  private readLast = 0n;
  private count = 0;
  private revision = 0;
  private clockS = beginS;
  /** As versions state it, or as it was raised. */
  private raisedTotal: number | undefined;

  private constructor(
    private readonly tables: AppliedTables,
    private task: TaskDefinition,
  ) {
    this.awards = AwardTables.over(tables.pool);
    const definitions = {
      show: () => Promise.resolve([{ definitionId: taskId, organizerId: 'organizer-1', state: 'published' }]),
    } as unknown as DefinitionsService;
    const metrics = new EngagementMetrics(new Registry());
    this.unissued = new UnissuedService(
      tables.pool,
      definitions,
      tables.parts.definitions,
      metrics,
      () => this.clockS * 1000,
    );
    this.raisedTotal = this.stated.total === undefined ? undefined : Number(this.stated.total);
    this.highestCap = capOf(task);
  }

  static async begin(tables: AppliedTables, body: TaskBody): Promise<CombinedRun> {
    await tables.clear();
    const version = { version: 1, generation: 1, inForceFrom: beginS - dayS, body };
    const run = new CombinedRun(tables, {
      ...{ kind: 'task', definitionId: taskId, platform: 'acme', organizerId: 'organizer-1', specs },
      ...{ paused: false, endedAt: null, versions: [version] },
    });
    run.tell();
    for (const [index] of users.entries()) await run.take({ does: 'link', user: index, account: index });
    return run;
  }

  get definition(): TaskDefinition {
    return this.task;
  }

  /** The UTC day of now. */
  get day(): string {
    return new Date(this.clockS * 1000).toISOString().slice(0, 10);
  }

  get nowS(): number {
    return this.clockS;
  }

  /** What the budgets allow now. */
  get budget(): { readonly total: number | undefined; readonly perDay: number | undefined } {
    const { per_day: perDay } = this.stated;
    return { total: this.raisedTotal, perDay: perDay === undefined ? undefined : Number(perDay) };
  }

  /** What a naive recomputation is asked about. */
  worldOf(user: string): World {
    const task = { ...this.task, paused: false };
    return { definitions: [task], events: this.events.get(user)!, links: this.links.get(user)!, rates: [], horizonS };
  }

  unissuedRows(): Promise<UnissuedRow[]> {
    return readUnissuedRows(this.tables.pool, taskId);
  }

  async take(step: CombinedStep): Promise<void> {
    const known = this.published.length;
    this.passTo(this.clockS + 1);
    switch (step.does) {
      case 'event':
        await this.apply(step);
        break;
      case 'link':
        await this.link(users[step.user], step.account === null ? null : `account-${step.account}`);
        break;
      case 'pass':
        this.passTo(this.clockS + step.seconds);
        break;
      case 'settle':
        await this.settle();
        break;
      case 'pause':
      case 'resume':
        this.task = { ...this.task, paused: step.does === 'pause' };
        this.tell();
        break;
      case 'edit':
        this.edit(step.changes);
        break;
      case 'pay':
      case 'refuse':
        await this.decide(step.does, step.share);
        break;
      case 'raise':
        await this.raise(step.by);
        break;
      case 'answer':
        await this.answer(step.result, step.share);
    }
    await this.readPublished();
    this.publishedInStep = this.published.slice(known);
  }

  /** Lets all happen that is due, until nothing is. */
  async settle(): Promise<void> {
    for (let round = 0; ; round++) {
      if (round > 200) throw new Error('due times do not end');
      let done = 0;
      for (let swept: number; (swept = await sweepDefinitions(this.tables.parts, 100)) > 0;) done += swept;
      done += (await settleDue(this.tables.parts, 100)).settled;
      if (done === 0) break;
    }
    await this.readPublished();
  }

  private get stated(): NonNullable<TaskBody['budget']> {
    return this.task.versions[this.task.versions.length - 1].body.budget ?? {};
  }

  private passTo(atS: number): void {
    this.clockS = atS;
    this.tables.clockMs = atS * 1000;
  }

  private tell(): void {
    this.tables.given.set(this.task);
  }

  private async apply({ user, name, value, agoS }: Extract<CombinedStep, { does: 'event' }>): Promise<void> {
    const userId = users[user];
    const links = this.links.get(userId)!;
    const link = links[links.length - 1];
    const attributes: Record<string, string> = name === 'deposit' ? { amount: value } : { status: value };
    const event: HistoryEvent = {
      ...{ id: `e${this.count++}`, name, createdAt: this.clockS - agoS, receivedAt: this.clockS, attributes },
      ...{ linkedAt: link.linkedAt, account: link.account, contractVersion: 1 },
    };
    this.events.get(userId)!.push(event);
    const { id, createdAt, account } = event;
    const given = { id, name, createdAt, attributes, userId, platformUserId: account, receivedAt: this.clockS * 1000 };
    await this.tables.apply([{ ...userEvent(given), linked_at: link.linkedAt }]);
  }

  /** An account belongs to one user at a time. */
  private async link(user: string, account: string | null): Promise<void> {
    for (const [holder, periods] of this.links) {
      const last = periods.at(-1);
      if (last === undefined || last.unlinkedAt !== null) continue;
      if (holder !== user && last.account !== account) continue;
      periods[periods.length - 1] = { ...last, unlinkedAt: this.clockS };
      await this.store(holder, periods[periods.length - 1]);
    }
    if (account === null) return;
    const period = { linkedAt: this.clockS, unlinkedAt: null, account };
    this.links.get(user)!.push(period);
    await this.store(user, period);
  }

  private async store(userId: string, { linkedAt, unlinkedAt, account }: LinkPeriod): Promise<void> {
    const data: LinkData = {
      ...{ link_id: `${userId}-${linkedAt}`, integration_id: 'integration-1', platform: 'acme' },
      ...{ organizer_id: 'organizer-1', platform_user_id: account, user_id: userId, linked_at: linkedAt },
      ...(unlinkedAt === null ? { state: 'ready' } : { state: 'unlinked', unlinked_at: unlinkedAt }),
    };
    await this.tables.storeLinks({ data, revision: ++this.revision, atMs: this.clockS * 1000 });
  }

  private edit(changes: Partial<TaskBody>): void {
    const { versions } = this.task;
    const last = versions[versions.length - 1];
    const inForceFrom = Math.max(Math.ceil((this.clockS + 600) / 600) * 600, last.inForceFrom + 600);
    const before = this.stated.total;
    const body = { ...last.body, ...changes };
    this.task = { ...this.task, versions: [...versions, { ...last, version: last.version + 1, inForceFrom, body }] };
    this.highestCap = Math.max(this.highestCap, capOf(this.task));
    const { total } = this.stated;
    if (total !== before) this.raisedTotal = total === undefined ? undefined : Number(total);
    this.tell();
  }

  private async decide(does: 'pay' | 'refuse', share: number): Promise<void> {
    const { rows } = await this.tables.pool.query<{ id: number }>(
      `SELECT unissued_id AS id FROM engagement.unissued_awards
       WHERE task_id = $1 AND status IN ('held_by_pause', 'held_by_limit', 'withheld') ORDER BY unissued_id`,
      [taskId],
    );
    const ids = rows.map(({ id }) => id).slice(0, Math.ceil(share * rows.length));
    if (ids.length === 0 || (does === 'pay' && this.task.paused)) return;
    if (does === 'pay') await this.unissued.pay(approver, taskId, { ids });
    else await this.unissued.refuse(approver, taskId, { ids });
  }

  private async raise(by: number): Promise<void> {
    const { total } = this.budget;
    if (total === undefined) return;
    await inTransaction(this.tables.pool, (tx) =>
      raiseTotal(tx, this.task, BigInt(total + by) * 1_000_000_000n, this.clockS * 1000),
    );
    this.raisedTotal = total + by;
  }

  private async answer(result: 'confirmed' | 'rejected', share: number): Promise<void> {
    const open = this.published.filter((entry) => entry.answer === null);
    const answered = open.slice(0, Math.ceil(share * open.length));
    if (answered.length === 0) return;
    for (const entry of answered) entry.answer = result;
    this.hasRejectedReversal ||= result === 'rejected' && answered.some(({ kind }) => kind === 'reversed');
    await this.awards.answer(...answered.map(({ awardId, seq }) => ({ award_id: awardId, seq, result })));
  }

  private async readPublished(): Promise<void> {
    const read = await readPublishedAfter(this.tables.pool, this.readLast, this.day);
    for (const { id, entry } of read) {
      this.readLast = id;
      this.published.push(entry);
    }
  }
}
