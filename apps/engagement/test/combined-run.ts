import { Registry } from '@podium/runtime/metrics';
import { inTransaction, queryable } from '@podium/runtime/postgres';
import type { Operator } from '@podium/runtime/http';
import { UnissuedService } from '../src/approvals/unissued.service';
import { raiseTotal } from '../src/budgets/raise-total';
import type { DefinitionsService } from '../src/definitions/definitions.service';
import { restartSweeps } from '../src/definitions/restart-sweeps.store';
import { type TaskBody, type TaskDefinition, horizonS } from '../src/evaluation/definition';
import { EngagementMetrics } from '../src/metrics/engagement-metrics';
import { AwardTables } from './award-tables';
import { specs } from './combined-kinds';
import { spentUnits } from './combined-ledger';
import type { CombinedParts } from './combined-parts';
import { noBudget, readBudgetLeft, readPublishedAfter, readUnissuedRows } from './combined-rows';
import {
  type CombinedStep,
  type PublishedEntry,
  type StepOfAll,
  type UnissuedRow,
  beginS,
  places,
  rates,
  users,
} from './combined-steps';
import { CombinedUsers } from './combined-users';
import type { World } from './oracle';
import { closesAt } from './oracle/task-bounds';

const dayS = 86_400;
/** The users of one task, whose accounts move between them, with the tables of the engine. */
export class CombinedRun {
  /** In the order in which they were published. */
  readonly published: PublishedEntry[] = [];
  publishedInStep: readonly PublishedEntry[] = [];
  /** After the last step, as rows count it. */
  budgetLeft = noBudget;
  private task: TaskDefinition;
  private readonly users: CombinedUsers;
  private readonly rates: World['rates'][number][] = [];
  private readonly awards: AwardTables;
  private readonly unissued: UnissuedService;
  private readonly approver: Operator;
  private readLast = 0n;
  /** Who is erased in this step. */
  private erasing: string | null = null;
  private erased: string | null = null;
  /** As versions state it, or as it was raised. */
  private raisedTotal: number | undefined;

  constructor(
    private readonly world: CombinedParts,
    private readonly place: (typeof places)[number],
    body: TaskBody,
  ) {
    const { tables } = world;
    const { platform, organizerId, taskId } = place;
    this.users = new CombinedUsers(world, place);
    this.awards = AwardTables.over(tables.pool);
    this.approver = { operatorId: 'approver', roles: new Map([[organizerId, ['approver']]]) };
    const definitions = {
      show: () => Promise.resolve([{ definitionId: taskId, organizerId, state: 'published' }]),
    } as unknown as DefinitionsService;
    const metrics = new EngagementMetrics(new Registry());
    const now = (): number => world.nowS * 1000;
    this.unissued = new UnissuedService(tables.pool, definitions, tables.parts.definitions, metrics, now);
    this.task = {
      ...{ kind: 'task', definitionId: taskId, platform, organizerId, specs, paused: false, endedAt: null },
      versions: [{ version: 1, generation: 1, inForceFrom: beginS - dayS, body }],
    };
    this.raisedTotal = this.stated.total === undefined ? undefined : Number(this.stated.total);
  }

  get definition(): TaskDefinition {
    return this.task;
  }

  /** The UTC day of now. */
  get day(): string {
    return new Date(this.nowS * 1000).toISOString().slice(0, 10);
  }

  get nowS(): number {
    return this.world.nowS;
  }

  /** Unix seconds; infinite without an end. */
  get closesAt(): number {
    return closesAt({ horizonS }, this.task);
  }

  /** What the budgets allow now. */
  get budget(): { readonly total: number | undefined; readonly perDay: number | undefined } {
    const { per_day: perDay } = this.stated;
    return { total: this.raisedTotal, perDay: perDay === undefined ? undefined : Number(perDay) };
  }

  /** What may be spent now; infinite without a budget. */
  get leftUnits(): { readonly inTotal: number; readonly ofDay: number } {
    const { total = Infinity, perDay = Infinity } = this.budget;
    return { inTotal: total - spentUnits(this.published), ofDay: perDay - spentUnits(this.published, this.day) };
  }

  /** What time decides later waits for links. */
  get linksPassedS(): number {
    return this.world.linksPassedS;
  }

  /** Of a version. */
  bodyOf(version: number): TaskBody {
    return this.task.versions.find((each) => each.version === version)!.body;
  }

  /** What a naive recomputation is asked about. */
  worldOf(user: string): World {
    const definitions = [{ ...this.task, paused: false }];
    return { definitions, ...this.users.of(user), rates: this.rates, horizonS };
  }

  /** In the step that was read last. */
  isErasedInStep(user: string): boolean {
    return this.erased === user;
  }

  unissuedRows(): Promise<UnissuedRow[]> {
    return readUnissuedRows(this.world.tables.pool, this.place.taskId);
  }

  async take(step: Exclude<CombinedStep, StepOfAll>): Promise<void> {
    switch (step.does) {
      case 'event':
        return this.users.apply(step, this.closesAt - horizonS);
      case 'link': {
        const linking = this.users.link(step);
        await Promise.all([linking, ...(step.isBesideDue ? [this.world.round(100)] : [])]);
        return;
      }
      case 'erase':
        for (const entry of this.published) entry.isErased ||= entry.userId === users[step.user];
        this.erasing = users[step.user];
        return this.users.erase(step);
      case 'rate':
        return this.approveRate(rates[step.day]);
      case 'pause':
      case 'resume':
        // One that has ended stays as it was.
        if (this.task.endedAt === null) this.task = { ...this.task, paused: step.does === 'pause' };
        return this.world.tell();
      case 'end':
        this.task = { ...this.task, endedAt: this.task.endedAt ?? this.nextBoundS };
        return this.world.tell();
      case 'edit':
        return this.edit(step.changes);
      case 'pay':
      case 'refuse':
        return this.decide(step.does, step.share);
      case 'raise':
        return this.raise(step.by);
      case 'answer':
        return this.answer(step);
    }
  }

  /** Reads what was published since it was called last, `publishedInStep`, and what is left of the budget. */
  async readPublished(): Promise<void> {
    const { taskId } = this.place;
    const { pool } = this.world.tables;
    const read = await readPublishedAfter(pool, taskId, this.readLast);
    this.budgetLeft = await readBudgetLeft(pool, taskId, this.day);
    this.publishedInStep = read.map(({ entry }) => ({ ...entry, isErased: entry.userId === this.erasing }));
    [this.erased, this.erasing] = [this.erasing, null];
    this.published.push(...this.publishedInStep);
    this.readLast = read.at(-1)?.id ?? this.readLast;
  }

  private get stated(): NonNullable<TaskBody['budget']> {
    return this.body.budget ?? {};
  }

  private get body(): TaskBody {
    return this.task.versions[this.task.versions.length - 1].body;
  }

  /** As the service does. */
  private async approveRate(rate: (typeof rates)[number]): Promise<void> {
    if (rate.day >= this.day || this.rates.includes(rate)) return;
    const { pool } = this.world.tables;
    this.rates.push(rate);
    await this.world.tables.approveRates([rate], this.place.organizerId);
    await restartSweeps(queryable(pool), [this.place.taskId]);
    this.world.tell();
  }

  /** The first full 10 minutes that are at least 10 minutes ahead. */
  private get nextBoundS(): number {
    return Math.ceil((this.nowS + 600) / 600) * 600;
  }

  private edit({ reward, ...others }: Partial<TaskBody>): void {
    const { versions } = this.task;
    const last = versions[versions.length - 1];
    const inForceFrom = Math.max(this.nextBoundS, last.inForceFrom + 600);
    if (this.nowS >= this.closesAt || this.task.endedAt !== null) return;
    const before = this.stated.total;
    const isFormula = 'percent' in last.body.reward;
    const { ends_at: endsAt = Infinity } = others;
    const body = {
      ...{ ...last.body, ...others, ...(reward === undefined || isFormula ? {} : { reward }) },
      // A new end lies ahead.
      ...(endsAt >= inForceFrom ? {} : { ends_at: last.body.ends_at }),
    };
    this.task = { ...this.task, versions: [...versions, { ...last, version: last.version + 1, inForceFrom, body }] };
    const { total } = this.stated;
    if (total !== before) this.raisedTotal = total === undefined ? undefined : Number(total);
    this.world.tell();
  }

  private async decide(does: 'pay' | 'refuse', share: number): Promise<void> {
    const { taskId } = this.place;
    const { rows } = await this.world.tables.pool.query<{ id: number }>(
      `SELECT unissued_id AS id FROM engagement.unissued_awards
       WHERE task_id = $1 AND status IN ('held_by_pause', 'held_by_limit', 'withheld') ORDER BY unissued_id`,
      [taskId],
    );
    const ids = rows.map(({ id }) => id).slice(0, Math.ceil(share * rows.length));
    if (ids.length === 0 || (does === 'pay' && this.task.paused && this.task.endedAt === null)) return;
    if (does === 'pay') await this.unissued.pay(this.approver, taskId, { ids });
    else await this.unissued.refuse(this.approver, taskId, { ids });
  }

  private async raise(by: number): Promise<void> {
    const { total } = this.budget;
    if (total === undefined) return;
    await inTransaction(this.world.tables.pool, (tx) =>
      raiseTotal(tx, this.task, BigInt(total + by) * 1_000_000_000n, this.nowS * 1000),
    );
    this.raisedTotal = total + by;
  }

  private async answer({ result, of, share }: Extract<CombinedStep, { does: 'answer' }>): Promise<void> {
    const open = this.published.filter((entry) => entry.answer === null && (of === 'any' || entry.kind === of));
    const answered = open.slice(0, Math.ceil(share * open.length));
    if (answered.length === 0) return;
    for (const entry of answered) entry.answer = result;
    await this.awards.answer(...answered.map(({ awardId, seq }) => ({ award_id: awardId, seq, result })));
  }
}
