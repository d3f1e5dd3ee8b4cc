import { CodedError } from '@podium/messages';
import { Operator, Page, keyInCursor, pageOf } from '@podium/runtime/http';
import { Pool, Queryable, inTransaction, queryable } from '@podium/runtime/postgres';
import { UnissuedStatus } from '../awards/known-award';
import { lengthOf, occurrenceKey } from '../awards/occurrence-range';
import { Payment, payUnissued } from '../awards/pay-unissued';
import { appendAudit } from '../definitions/definition-audit.store';
import { DefinitionsService } from '../definitions/definitions.service';
import { requireAnother } from '../definitions/four-eyes';
import { EngagementMetrics } from '../metrics/engagement-metrics';
import { makeDue } from '../progress/due-times.store';
import { LiveDefinitions } from '../progress/live-definitions';
import { lockUsers } from '../users/users.store';
import { holdTask, requireApprover } from './approved-task';
import { ApprovalDto, PaidRowReply, PaymentReply, RefusalReply, UnissuedQuery, UnissuedReply } from './unissued.dto';
import { UnissuedRow, listUnissued, readPublishers, readUnissuedRows, refuseRows } from './unissued.store';

/** The statuses that an approver decides. */
const decidable: readonly UnissuedStatus[] = ['held_by_pause', 'held_by_limit', 'withheld'];

/**
 * Shows what tasks have not issued, and lets an approver pay or refuse it. All methods throw `not_found` for tasks that the
 * operator may not see; a payment or refusal throws `forbidden` without the role approver, and for the operator who published
 * the version under which one of the rows was reached.
 */
export class UnissuedService {
  constructor(
    private readonly pool: Pool,
    private readonly definitions: DefinitionsService,
    private readonly live: LiveDefinitions,
    private readonly metrics: EngagementMetrics,
    private readonly now: () => number = Date.now,
  ) {}

  /** In the order in which rows were added. */
  async list(operator: Operator, taskId: string, query: UnissuedQuery): Promise<Page<UnissuedReply>> {
    await this.definitions.requireVisible('task', operator, taskId);
    const [after] = keyInCursor(query.cursor, ['number']) ?? [null];
    const { status, user_id: userId, limit } = query;
    const rows = await listUnissued(queryable(this.pool), { taskId, status, userId, after, limit: limit + 1 });
    return pageOf(rows, limit, ({ id }) => [id], replyOf);
  }

  /**
   * Issues what the budget allows; what is left stays listed. Of a task that ended while it was paused, what the pause held is
   * never issued. Throws `conflict` while a task is paused that can be resumed.
   */
  async pay(operator: Operator, taskId: string, { ids, reason }: ApprovalDto): Promise<PaymentReply> {
    const versions = await requireApprover(this.definitions, operator, taskId);
    const { items, issued } = await inTransaction(this.pool, async (tx) => {
      const task = await holdTask(tx, this.live, versions);
      if (task.paused && task.endedAt === null)
        throw new CodedError('conflict', { message: 'The task is paused and issues nothing. Resume it first.' });
      const rows = await lockRows(tx, operator, taskId, ids);
      const payable = rows.filter(({ status }) => !task.paused || status !== 'held_by_pause');
      const nowMs = this.now();
      const wanted = payable.map(({ series, first, last, ...user }) => ({ user, range: { series, first, last } }));
      const paid = await payUnissued(tx, task, wanted, { nowMs, approver: operator.operatorId });
      const freed = paid.freed.map((userRef) => ({ userRef, definitionId: taskId }));
      await makeDue(tx, freed, Math.floor(nowMs / 1000));
      const items = ids.map((id) => paidRow(id, rows, payable, paid));
      await this.audit(tx, operator, task, 'task.unissued_paid', detailsOf(items, rows, reason));
      return { items, issued: paid.issued };
    });
    for (const { span } of issued) span?.end();
    this.metrics.countSettlement({ awards: issued, reversals: [], changes: [] });
    return { items };
  }

  /** Refused occurrences are never issued, and go on counting toward `max_per_user`. */
  async refuse(operator: Operator, taskId: string, { ids, reason }: ApprovalDto): Promise<RefusalReply> {
    const versions = await requireApprover(this.definitions, operator, taskId);
    return inTransaction(this.pool, async (tx) => {
      const task = await holdTask(tx, this.live, versions);
      const rows = await lockRows(tx, operator, taskId, ids);
      const refused = rows.filter(({ status }) => decidable.includes(status));
      await refuseRows(
        tx,
        refused.map(({ id }) => id),
      );
      const items = ids.map((id) => {
        const row = rows.find((each) => each.id === id);
        if (!row) return { id, refused: 0, reason: 'unknown' };
        return refused.includes(row)
          ? { id, refused: lengthOf(row), reason: null }
          : { id, refused: 0, reason: row.status };
      });
      await this.audit(tx, operator, task, 'task.unissued_refused', detailsOf(items, rows, reason));
      return { items };
    });
  }

  private audit(
    tx: Queryable,
    { operatorId }: Operator,
    { definitionId, organizerId }: { readonly definitionId: string; readonly organizerId: string },
    action: string,
    details: Record<string, unknown>,
  ): Promise<void> {
    return appendAudit(tx, { operatorId, organizerId, action, definitionId, details });
  }
}

/** Locks the users of rows and reads the rows that still exist; the operator must not have published their versions. */
async function lockRows(
  tx: Queryable,
  operator: Operator,
  taskId: string,
  ids: readonly number[],
): Promise<UnissuedRow[]> {
  await lockUsers(tx, await readUnissuedRows(tx, taskId, ids));
  const rows = await readUnissuedRows(tx, taskId, ids);
  const publishers = await readPublishers(tx, taskId);
  for (const { version } of rows)
    requireAnother(operator, publishers.get(version) ?? null, `published version ${version}, which owes these awards`);
  return rows;
}

/** `paid` has the payable rows in their order; the other ones were held by the pause during which the task ended. */
function paidRow(
  id: number,
  rows: readonly UnissuedRow[],
  payable: readonly UnissuedRow[],
  { rows: paid }: Payment,
): PaidRowReply {
  const row = rows.find((each) => each.id === id);
  if (!row) return { id, issued: 0, left: 0, reason: 'unknown' };
  const at = payable.indexOf(row);
  return at < 0 ? { id, issued: 0, left: lengthOf(row), reason: 'ended_while_paused' } : { id, ...paid[at] };
}

/** What the audit trail says: the outcome of each row, and what it offered, without its user. */
function detailsOf(
  items: readonly { readonly id: number }[],
  rows: readonly UnissuedRow[],
  reason: string | undefined,
): Record<string, unknown> {
  const described = items.map((item) => {
    const row = rows.find(({ id }) => id === item.id);
    return row ? { ...item, ...offerOf(row) } : item;
  });
  return { rows: described, ...(reason === undefined ? {} : { reason }) };
}

function offerOf(row: UnissuedRow): Pick<UnissuedReply, 'first_occurrence' | 'last_occurrence' | 'reward'> {
  return {
    first_occurrence: occurrenceKey(row.series, row.first),
    last_occurrence: occurrenceKey(row.series, row.last),
    reward: 'unpayable' in row.reward ? null : row.reward,
  };
}

function replyOf(row: UnissuedRow): UnissuedReply {
  return {
    id: row.id,
    user_id: row.userId,
    platform_user_id: row.account,
    ...offerOf(row),
    occurrences: lengthOf(row),
    status: row.status,
    reason: row.reason,
    task_version: row.version,
    reached_at: new Date(row.reachedAt * 1000).toISOString(),
    noted_at: row.notedAt.toISOString(),
  };
}
