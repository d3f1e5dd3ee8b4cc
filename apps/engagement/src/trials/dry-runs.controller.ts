import { Body, Controller, Get, HttpCode, Param, Post, Query, StreamableFile, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentOperator, OperatorGuard, PageQuery, UuidPipe, type Operator } from '@podium/runtime/http';
import { Exports } from '../reports/export-lines';
import { ExportOperation } from '../reports/export-operation';
import { pageOfReport } from '../reports/report';
import { CappedOperation } from './capped-operation';
import {
  CappedUserPageReply,
  DryRunAwardPageReply,
  DryRunAwardsExportQuery,
  DryRunAwardsQuery,
  DryRunDto,
  DryRunListReply,
  DryRunReply,
} from './trial.dto';
import { TrialsService } from './trials.service';

/** What a version of a task would have awarded, for operators. */
@ApiTags('Tasks')
@ApiBearerAuth('operator-token')
@UseGuards(OperatorGuard)
@Controller('admin/v1/tasks/:id/dry-runs')
export class DryRunsController {
  constructor(
    private readonly trials: TrialsService,
    private readonly exports: Exports,
  ) {}

  @Post()
  @ApiOperation({
    operationId: 'orderDryRun',
    summary: 'Order a dry run of a version over dates of the past',
    description:
      'Role editor. Evaluates all users of the platform in the background, as if the dates were those of the task; issues nothing. ' +
      'One at a time per task.',
  })
  @ApiCreatedResponse({ type: DryRunReply })
  order(
    @CurrentOperator() operator: Operator,
    @Param('id', UuidPipe) id: string,
    @Body() dto: DryRunDto,
  ): Promise<DryRunReply> {
    return this.trials.orderDryRun(operator, id, dto);
  }

  @Get()
  @ApiOperation({
    operationId: 'listDryRuns',
    summary: 'List the newest dry runs of a task',
    description: 'Role viewer. At most 20, newest first, without their days.',
  })
  @ApiOkResponse({ type: DryRunListReply })
  async list(@CurrentOperator() operator: Operator, @Param('id', UuidPipe) id: string): Promise<DryRunListReply> {
    return { items: await this.trials.listDryRuns(operator, id) };
  }

  @Get(':dry_run_id')
  @ApiOperation({
    operationId: 'getDryRun',
    summary: 'Show a dry run: progress, awards, cost per day against the budget',
    description: 'Role viewer.',
  })
  @ApiOkResponse({ type: DryRunReply })
  show(
    @CurrentOperator() operator: Operator,
    @Param('id', UuidPipe) id: string,
    @Param('dry_run_id', UuidPipe) dryRunId: string,
  ): Promise<DryRunReply> {
    return this.trials.showDryRun(operator, id, dryRunId);
  }

  @Post(':dry_run_id/cancel')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'cancelDryRun',
    summary: 'Cancel a dry run',
    description: 'Role editor. One that has finished does not change.',
  })
  @ApiOkResponse({ type: DryRunReply })
  cancel(
    @CurrentOperator() operator: Operator,
    @Param('id', UuidPipe) id: string,
    @Param('dry_run_id', UuidPipe) dryRunId: string,
  ): Promise<DryRunReply> {
    return this.trials.cancelDryRun(operator, id, dryRunId);
  }

  @Get(':dry_run_id/awards')
  @ApiOperation({
    operationId: 'listDryRunAwards',
    summary: 'List the awards that a dry run would issue, in the order in which they are reached',
    description: 'Role viewer.',
  })
  @ApiOkResponse({ type: DryRunAwardPageReply })
  async awards(
    @CurrentOperator() operator: Operator,
    @Param('id', UuidPipe) id: string,
    @Param('dry_run_id', UuidPipe) dryRunId: string,
    @Query() query: DryRunAwardsQuery,
  ): Promise<DryRunAwardPageReply> {
    return pageOfReport(await this.trials.awards(operator, id, dryRunId, query), query);
  }

  @Get(':dry_run_id/awards/export')
  @ExportOperation('exportDryRunAwards', 'Export the awards that a dry run would issue', 'DryRunAwardReply')
  async exportAwards(
    @CurrentOperator() operator: Operator,
    @Param('id', UuidPipe) id: string,
    @Param('dry_run_id', UuidPipe) dryRunId: string,
    @Query() query: DryRunAwardsExportQuery,
  ): Promise<StreamableFile> {
    return this.exports.file(await this.trials.awards(operator, id, dryRunId, query));
  }

  @Get(':dry_run_id/capped')
  @CappedOperation('listDryRunCapped', 'List the users whom a dry run did not evaluate')
  async capped(
    @CurrentOperator() operator: Operator,
    @Param('id', UuidPipe) id: string,
    @Param('dry_run_id', UuidPipe) dryRunId: string,
    @Query() query: PageQuery,
  ): Promise<CappedUserPageReply> {
    return pageOfReport(await this.trials.capped('task', operator, id, dryRunId, query.cursor), query);
  }
}
