import { Controller, Get, HttpCode, Param, Post, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiConflictResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentOperator, OperatorGuard, UuidPipe, type Operator } from '@podium/runtime/http';
import { BackfillReply } from './backfill.dto';
import { BackfillsService } from './backfills.service';

const pausing = 'Role editor. Events and due times still evaluate their users; other users wait until it is resumed.';
const notEvaluated = 'No version is evaluated: none is published, or it has ended long ago.';
const resuming = 'Role editor. It goes on where it was paused.';

/** Backfills of published versions, for operators. */
@ApiBearerAuth('operator-token')
@UseGuards(OperatorGuard)
@Controller('admin/v1')
export class BackfillsController {
  constructor(private readonly backfills: BackfillsService) {}

  @Get('segments/:id/backfill')
  @ApiTags('Segments')
  @ApiOperation({
    operationId: 'getSegmentBackfill',
    summary: 'Show for how many users the published version of a segment is evaluated',
    description: 'Role viewer.',
  })
  @ApiOkResponse({ type: BackfillReply })
  @ApiConflictResponse({ description: notEvaluated })
  ofSegment(@CurrentOperator() operator: Operator, @Param('id', UuidPipe) id: string): Promise<BackfillReply> {
    return this.backfills.show('segment', operator, id);
  }

  @Post('segments/:id/backfill/pause')
  @HttpCode(200)
  @ApiTags('Segments')
  @ApiOperation({
    operationId: 'pauseSegmentBackfill',
    summary: 'Pause the evaluation of a published version of a segment',
    description: pausing,
  })
  @ApiOkResponse({ type: BackfillReply })
  pauseOfSegment(@CurrentOperator() operator: Operator, @Param('id', UuidPipe) id: string): Promise<BackfillReply> {
    return this.backfills.pause('segment', operator, id);
  }

  @Post('segments/:id/backfill/resume')
  @HttpCode(200)
  @ApiTags('Segments')
  @ApiOperation({
    operationId: 'resumeSegmentBackfill',
    summary: 'Resume the evaluation of a published version of a segment',
    description: resuming,
  })
  @ApiOkResponse({ type: BackfillReply })
  resumeOfSegment(@CurrentOperator() operator: Operator, @Param('id', UuidPipe) id: string): Promise<BackfillReply> {
    return this.backfills.resume('segment', operator, id);
  }

  @Get('tasks/:id/backfill')
  @ApiTags('Tasks')
  @ApiOperation({
    operationId: 'getTaskBackfill',
    summary: 'Show for how many users the published version of a task is evaluated',
    description: 'Role viewer.',
  })
  @ApiOkResponse({ type: BackfillReply })
  @ApiConflictResponse({ description: notEvaluated })
  ofTask(@CurrentOperator() operator: Operator, @Param('id', UuidPipe) id: string): Promise<BackfillReply> {
    return this.backfills.show('task', operator, id);
  }

  @Post('tasks/:id/backfill/pause')
  @HttpCode(200)
  @ApiTags('Tasks')
  @ApiOperation({
    operationId: 'pauseTaskBackfill',
    summary: 'Pause the evaluation of a published version of a task',
    description: pausing,
  })
  @ApiOkResponse({ type: BackfillReply })
  pauseOfTask(@CurrentOperator() operator: Operator, @Param('id', UuidPipe) id: string): Promise<BackfillReply> {
    return this.backfills.pause('task', operator, id);
  }

  @Post('tasks/:id/backfill/resume')
  @HttpCode(200)
  @ApiTags('Tasks')
  @ApiOperation({
    operationId: 'resumeTaskBackfill',
    summary: 'Resume the evaluation of a published version of a task',
    description: resuming,
  })
  @ApiOkResponse({ type: BackfillReply })
  resumeOfTask(@CurrentOperator() operator: Operator, @Param('id', UuidPipe) id: string): Promise<BackfillReply> {
    return this.backfills.resume('task', operator, id);
  }
}
