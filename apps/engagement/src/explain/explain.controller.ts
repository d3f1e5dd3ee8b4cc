import { Controller, Get, Param, Query, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentOperator, OperatorGuard, UuidPipe, type Operator } from '@podium/runtime/http';
import { ExplainService } from './explain.service';
import { ExplainQuery, SegmentExplanationReply, TaskExplanationReply } from './explanation.dto';

/** Why a user is in a segment or has reached a task, for operators. */
@ApiBearerAuth('operator-token')
@UseGuards(OperatorGuard)
@Controller('admin/v1')
export class ExplainController {
  constructor(private readonly explain: ExplainService) {}

  @Get('segments/:id/explain')
  @ApiTags('Segments')
  @ApiOperation({
    operationId: 'explainSegment',
    summary: 'Explain why a user is in a segment or not, now or at an instant of the past',
    description: 'Role viewer.',
  })
  @ApiOkResponse({ type: SegmentExplanationReply })
  segment(
    @CurrentOperator() operator: Operator,
    @Param('id', UuidPipe) id: string,
    @Query() query: ExplainQuery,
  ): Promise<SegmentExplanationReply> {
    return this.explain.segment(operator, id, query);
  }

  @Get('tasks/:id/explain')
  @ApiTags('Tasks')
  @ApiOperation({
    operationId: 'explainTask',
    summary: 'Explain why a user has reached a task or not, now or at an instant of the past',
    description: 'Role viewer.',
  })
  @ApiOkResponse({ type: TaskExplanationReply })
  task(
    @CurrentOperator() operator: Operator,
    @Param('id', UuidPipe) id: string,
    @Query() query: ExplainQuery,
  ): Promise<TaskExplanationReply> {
    return this.explain.task(operator, id, query);
  }
}
