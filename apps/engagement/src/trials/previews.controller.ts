import { Body, Controller, Get, HttpCode, Param, Post, Query, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentOperator, OperatorGuard, PageQuery, UuidPipe, type Operator } from '@podium/runtime/http';
import { pageOfReport } from '../reports/report';
import { CappedOperation } from './capped-operation';
import { CappedUserPageReply, PreviewDto, PreviewListReply, PreviewReply } from './trial.dto';
import { TrialsService } from './trials.service';

/** The size of a segment before it is published, for operators. */
@ApiTags('Segments')
@ApiBearerAuth('operator-token')
@UseGuards(OperatorGuard)
@Controller('admin/v1/segments/:id/previews')
export class PreviewsController {
  constructor(private readonly trials: TrialsService) {}

  @Post()
  @ApiOperation({
    operationId: 'orderPreview',
    summary: 'Order a preview of a version: who would be a member now',
    description:
      'Role editor. Evaluates all users of the platform in the background, as if the version were in force; tells nobody. ' +
      'One at a time per segment.',
  })
  @ApiCreatedResponse({ type: PreviewReply })
  order(
    @CurrentOperator() operator: Operator,
    @Param('id', UuidPipe) id: string,
    @Body() { version }: PreviewDto,
  ): Promise<PreviewReply> {
    return this.trials.orderPreview(operator, id, version);
  }

  @Get()
  @ApiOperation({
    operationId: 'listPreviews',
    summary: 'List the newest previews of a segment',
    description: 'Role viewer. At most 20, newest first, without their samples.',
  })
  @ApiOkResponse({ type: PreviewListReply })
  async list(@CurrentOperator() operator: Operator, @Param('id', UuidPipe) id: string): Promise<PreviewListReply> {
    return { items: await this.trials.listPreviews(operator, id) };
  }

  @Get(':preview_id')
  @ApiOperation({
    operationId: 'getPreview',
    summary: 'Show a preview: progress, number of members, a sample of them with reasons',
    description: 'Role viewer.',
  })
  @ApiOkResponse({ type: PreviewReply })
  show(
    @CurrentOperator() operator: Operator,
    @Param('id', UuidPipe) id: string,
    @Param('preview_id', UuidPipe) previewId: string,
  ): Promise<PreviewReply> {
    return this.trials.showPreview(operator, id, previewId);
  }

  @Post(':preview_id/cancel')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'cancelPreview',
    summary: 'Cancel a preview',
    description: 'Role editor. One that has finished does not change.',
  })
  @ApiOkResponse({ type: PreviewReply })
  cancel(
    @CurrentOperator() operator: Operator,
    @Param('id', UuidPipe) id: string,
    @Param('preview_id', UuidPipe) previewId: string,
  ): Promise<PreviewReply> {
    return this.trials.cancelPreview(operator, id, previewId);
  }

  @Get(':preview_id/capped')
  @CappedOperation('listPreviewCapped', 'List the users whom a preview did not evaluate')
  async capped(
    @CurrentOperator() operator: Operator,
    @Param('id', UuidPipe) id: string,
    @Param('preview_id', UuidPipe) previewId: string,
    @Query() query: PageQuery,
  ): Promise<CappedUserPageReply> {
    return pageOfReport(await this.trials.capped('segment', operator, id, previewId, query.cursor), query);
  }
}
