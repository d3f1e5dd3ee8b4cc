import { Controller, Get, Param, Query, StreamableFile, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentOperator, OperatorGuard, PageQuery, UuidPipe, type Operator } from '@podium/runtime/http';
import { ExportOperation } from './export-operation';
import { Exports } from './export-lines';
import { ExportQuery, MemberPageReply, ProgressPageReply, TaskAwardPageReply } from './report.dto';
import { pageOfReport } from './report';
import { ReportsService } from './reports.service';

/** Who is in a segment, and what a task has awarded, for operators. */
@ApiBearerAuth('operator-token')
@UseGuards(OperatorGuard)
@Controller('admin/v1')
export class ReportsController {
  constructor(
    private readonly reports: ReportsService,
    private readonly exports: Exports,
  ) {}

  @Get('segments/:id/members')
  @ApiTags('Segments')
  @ApiOperation({ operationId: 'listMembers', summary: 'List the members of a segment', description: 'Role viewer.' })
  @ApiOkResponse({ type: MemberPageReply })
  async members(
    @CurrentOperator() operator: Operator,
    @Param('id', UuidPipe) id: string,
    @Query() query: PageQuery,
  ): Promise<MemberPageReply> {
    return pageOfReport(await this.reports.members(operator, id, query.cursor), query);
  }

  @Get('segments/:id/members/export')
  @ApiTags('Segments')
  @ExportOperation('exportMembers', 'Export the members of a segment', 'MemberReply')
  async exportMembers(
    @CurrentOperator() operator: Operator,
    @Param('id', UuidPipe) id: string,
    @Query() { cursor }: ExportQuery,
  ): Promise<StreamableFile> {
    return this.exports.file(await this.reports.members(operator, id, cursor));
  }

  @Get('tasks/:id/awards')
  @ApiTags('Tasks')
  @ApiOperation({
    operationId: 'listTaskAwards',
    summary: 'List the awards of a task with their evidence, by user',
    description: 'Role viewer.',
  })
  @ApiOkResponse({ type: TaskAwardPageReply })
  async awards(
    @CurrentOperator() operator: Operator,
    @Param('id', UuidPipe) id: string,
    @Query() query: PageQuery,
  ): Promise<TaskAwardPageReply> {
    return pageOfReport(await this.reports.awards(operator, id, query.cursor), query);
  }

  @Get('tasks/:id/awards/export')
  @ApiTags('Tasks')
  @ExportOperation('exportTaskAwards', 'Export the awards of a task', 'TaskAwardReply')
  async exportAwards(
    @CurrentOperator() operator: Operator,
    @Param('id', UuidPipe) id: string,
    @Query() { cursor }: ExportQuery,
  ): Promise<StreamableFile> {
    return this.exports.file(await this.reports.awards(operator, id, cursor));
  }

  @Get('tasks/:id/progress')
  @ApiTags('Tasks')
  @ApiOperation({
    operationId: 'listProgress',
    summary: 'List how far users are with a task',
    description: 'Role viewer. Users with events that the goal names; a page may be shorter although more follow.',
  })
  @ApiOkResponse({ type: ProgressPageReply })
  async progress(
    @CurrentOperator() operator: Operator,
    @Param('id', UuidPipe) id: string,
    @Query() query: PageQuery,
  ): Promise<ProgressPageReply> {
    return pageOfReport(await this.reports.progress(operator, id, query.cursor), query);
  }

  @Get('tasks/:id/progress/export')
  @ApiTags('Tasks')
  @ExportOperation('exportProgress', 'Export how far users are with a task', 'ProgressReply')
  async exportProgress(
    @CurrentOperator() operator: Operator,
    @Param('id', UuidPipe) id: string,
    @Query() { cursor }: ExportQuery,
  ): Promise<StreamableFile> {
    return this.exports.file(await this.reports.progress(operator, id, cursor));
  }
}
