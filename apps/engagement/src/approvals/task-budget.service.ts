import { CodedError, parseDecimal } from '@podium/messages';
import { Operator } from '@podium/runtime/http';
import { Pool, inTransaction } from '@podium/runtime/postgres';
import { BudgetLeft, budgetState } from '../budgets/budget-state';
import { raiseTotal } from '../budgets/raise-total';
import { utcDay } from '../budgets/reserve-units';
import { newestVersion, statedBudget } from '../budgets/stated-budget';
import { malformed, refused } from '../definitions/body-problems';
import { budgetUnit } from '../definitions/budget-unit';
import { appendAudit } from '../definitions/definition-audit.store';
import { DefinitionsService } from '../definitions/definitions.service';
import { tellDefinitions } from '../definitions/tell-definitions';
import { requireAnother } from '../definitions/four-eyes';
import { newestBody } from '../evaluation/definition';
import { formatDecimal, toBillionths } from '../evaluation/exact-decimal';
import { LiveDefinitions } from '../progress/live-definitions';
import { holdTask, requireApprover } from './approved-task';
import { RaiseBudgetDto, SpentBudgetReply, TaskBudgetReply, TaskBudgetStateReply } from './task-budget.dto';
import { readPublishers } from './unissued.store';

/** Shows the budgets of tasks, and raises their totals. */
export class TaskBudgetService {
  constructor(
    private readonly pool: Pool,
    private readonly definitions: DefinitionsService,
    private readonly live: LiveDefinitions,
    private readonly now: () => number = Date.now,
  ) {}

  /**
   * What is spent and left now, in total and of the UTC day. Throws `not_found` for tasks that the operator may not see, and
   * `conflict` for one that was never published.
   */
  async show(operator: Operator, taskId: string): Promise<TaskBudgetStateReply> {
    const versions = await this.definitions.show('task', operator, taskId);
    return inTransaction(this.pool, async (tx) => {
      const task = await holdTask(tx, this.live, versions);
      const day = utcDay(this.now());
      const { total, day: ofDay } = await budgetState(tx, task, day);
      const stated = formatDecimal(toBillionths(statedBudget(task).total ?? '0'));
      return {
        ...{ task_id: taskId, version: newestVersion(task), unit: budgetUnit(newestBody(task).reward) },
        total: total && { stated, ...spentReply(total) },
        per_day: ofDay && { day, ...spentReply(ofDay) },
      };
    });
  }

  /**
   * Raises the total without a new version; the total that it already has changes nothing. What was withheld before waits for a
   * payment. Throws `forbidden` without the role approver and for the operator who published the newest version,
   * `unprocessable` for a lower total and `conflict` for a task without one.
   */
  async raise(operator: Operator, taskId: string, dto: RaiseBudgetDto): Promise<TaskBudgetReply> {
    const total = parseDecimal(dto.total);
    if (total === null || total <= 0n)
      throw malformed('total', 'must be a decimal above 0 with at most 18 digits before and 9 after the point');
    const versions = await requireApprover(this.definitions, operator, taskId);
    return inTransaction(this.pool, async (tx) => {
      const task = await holdTask(tx, this.live, versions);
      const raised = await raiseTotal(tx, task, total, this.now());
      if (raised === null)
        throw new CodedError('conflict', {
          message: 'This task has no total budget; publish a version that states one.',
        });
      const version = newestVersion(task);
      const publishers = await readPublishers(tx, taskId);
      requireAnother(
        operator,
        publishers.get(version) ?? null,
        `published version ${version}, which states the budget`,
      );
      const { before, after } = raised;
      if (total < before.total)
        throw refused(
          'total',
          `must be at least the present total of ${formatDecimal(before.total)}; it is only raised`,
        );
      if (after.total > before.total) {
        await appendAudit(tx, {
          operatorId: operator.operatorId,
          organizerId: task.organizerId,
          action: 'task.budget_raised',
          definitionId: taskId,
          details: { from: formatDecimal(before.total), to: formatDecimal(after.total) },
        });
        await tellDefinitions(tx, [taskId]);
      }
      return { task_id: taskId, total: formatDecimal(after.total), left: formatDecimal(after.left) };
    });
  }
}

function spentReply({ limit, left }: BudgetLeft): SpentBudgetReply {
  return { limit: formatDecimal(limit), spent: formatDecimal(limit - left), left: formatDecimal(left) };
}
