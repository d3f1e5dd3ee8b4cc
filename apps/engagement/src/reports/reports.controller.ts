import { Controller, Get, Param, Query, StreamableFile, UseGuards, applyDecorators } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentOperator, OperatorGuard, Page, PageQuery, UuidPipe, type Operator } from '@podium/runtime/http';
import { Exports } from './export-lines';
import { pageOfPart } from './report-part';
import { ExportQuery, MemberPageReply, ProgressPageReply, TaskAwardPageReply } from './report.dto';
import { Report, ReportsService } from './reports.service';

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
    return page(await this.reports.members(operator, id, query.cursor), query);
  }

  @Get('segments/:id/members/export')
  @ApiTags('Segments')
  @ExportOperation('exportMembers', 'Export the members of a segment', 'MemberReply')
  async exportMembers(
    @CurrentOperator() operator: Operator,
    @Param('id', UuidPipe) id: string,
    @Query() { cursor }: ExportQuery,
  ): Promise<StreamableFile> {
    return this.file(await this.reports.members(operator, id, cursor));
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
    return page(await this.reports.awards(operator, id, query.cursor), query);
  }

  @Get('tasks/:id/awards/export')
  @ApiTags('Tasks')
  @ExportOperation('exportTaskAwards', 'Export the awards of a task', 'TaskAwardReply')
  async exportAwards(
    @CurrentOperator() operator: Operator,
    @Param('id', UuidPipe) id: string,
    @Query() { cursor }: ExportQuery,
  ): Promise<StreamableFile> {
    return this.file(await this.reports.awards(operator, id, cursor));
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
    return page(await this.reports.progress(operator, id, query.cursor), query);
  }

  @Get('tasks/:id/progress/export')
  @ApiTags('Tasks')
  @ExportOperation('exportProgress', 'Export how far users are with a task', 'ProgressReply')
  async exportProgress(
    @CurrentOperator() operator: Operator,
    @Param('id', UuidPipe) id: string,
    @Query() { cursor }: ExportQuery,
  ): Promise<StreamableFile> {
    return this.file(await this.reports.progress(operator, id, cursor));
  }

  private async file<Item extends object>({ read, after }: Report<Item>): Promise<StreamableFile> {
    return new StreamableFile(await this.exports.stream(read, after), { type: 'application/x-ndjson' });
  }
}

async function page<Item>({ read, after }: Report<Item>, { limit }: PageQuery): Promise<Page<Item>> {
  return pageOfPart(await read(after, limit));
}

function ExportOperation(operationId: string, summary: string, item: string): MethodDecorator {
  return applyDecorators(
    ApiOperation({
      operationId,
      summary,
      description:
        'Role viewer. One item per line, with its `cursor`: after an interruption, continue with that of the last complete line. ' +
        'Lines without an item can be ignored. A response that is cut off is not complete.',
    }),
    ApiOkResponse({
      description: `Newline-delimited JSON: ${item} and \`cursor\` in each line`,
      content: { 'application/x-ndjson': { schema: { type: 'string' } } },
    }),
  );
}
