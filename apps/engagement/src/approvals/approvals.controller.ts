import { Body, Controller, Get, HttpCode, Param, Post, Query, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiConflictResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentOperator, OperatorGuard, UuidPipe, type Operator } from '@podium/runtime/http';
import { RaiseBudgetDto, TaskBudgetReply, TaskBudgetStateReply } from './task-budget.dto';
import { TaskBudgetService } from './task-budget.service';
import { ApprovalDto, PaymentReply, RefusalReply, UnissuedPageReply, UnissuedQuery } from './unissued.dto';
import { UnissuedService } from './unissued.service';

/** What tasks have not issued, and their budgets, for approvers. */
@ApiTags('Tasks')
@ApiBearerAuth('operator-token')
@UseGuards(OperatorGuard)
@Controller('admin/v1/tasks/:id')
export class ApprovalsController {
  constructor(
    private readonly unissued: UnissuedService,
    private readonly budgets: TaskBudgetService,
  ) {}

  @Get('unissued')
  @ApiOperation({
    operationId: 'listUnissued',
    summary: 'List what users have reached and were not issued',
    description: 'Role viewer.',
  })
  @ApiOkResponse({ type: UnissuedPageReply })
  list(
    @CurrentOperator() operator: Operator,
    @Param('id', UuidPipe) id: string,
    @Query() query: UnissuedQuery,
  ): Promise<UnissuedPageReply> {
    return this.unissued.list(operator, id, query);
  }

  @Post('unissued/pay')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'payUnissued',
    summary: 'Issue what is held or withheld',
    description:
      'Role approver, another operator than the one who published the version. Issues at most 1,000 occurrences, in the order in ' +
      'which they were reached, as far as the budget allows; the rest stays listed. A paused task issues nothing before it is ' +
      'resumed; of one that ended while it was paused, only what the pause held is never issued.',
  })
  @ApiOkResponse({ type: PaymentReply })
  pay(
    @CurrentOperator() operator: Operator,
    @Param('id', UuidPipe) id: string,
    @Body() dto: ApprovalDto,
  ): Promise<PaymentReply> {
    return this.unissued.pay(operator, id, dto);
  }

  @Post('unissued/refuse')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'refuseUnissued',
    summary: 'Refuse what is held or withheld, permanently',
    description: 'Role approver, another operator than the one who published the version.',
  })
  @ApiOkResponse({ type: RefusalReply })
  refuse(
    @CurrentOperator() operator: Operator,
    @Param('id', UuidPipe) id: string,
    @Body() dto: ApprovalDto,
  ): Promise<RefusalReply> {
    return this.unissued.refuse(operator, id, dto);
  }

  @Get('budget')
  @ApiOperation({
    operationId: 'getTaskBudget',
    summary: 'Show what is spent and left of the budget',
    description: 'Role viewer. In total and on the present UTC day of issue; a raised total counts.',
  })
  @ApiOkResponse({ type: TaskBudgetStateReply })
  @ApiConflictResponse({ description: 'No version is published, or the engine leaves the task out' })
  budget(@CurrentOperator() operator: Operator, @Param('id', UuidPipe) id: string): Promise<TaskBudgetStateReply> {
    return this.budgets.show(operator, id);
  }

  @Post('budget')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'raiseBudget',
    summary: 'Raise the total budget',
    description:
      'Role approver, another operator than the one who published the newest version. What was withheld before stays listed until ' +
      'it is paid.',
  })
  @ApiOkResponse({ type: TaskBudgetReply })
  raiseBudget(
    @CurrentOperator() operator: Operator,
    @Param('id', UuidPipe) id: string,
    @Body() dto: RaiseBudgetDto,
  ): Promise<TaskBudgetReply> {
    return this.budgets.raise(operator, id, dto);
  }
}
