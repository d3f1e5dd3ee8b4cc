import { Body, Controller, Get, HttpCode, Param, Post, Query, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentOperator, OperatorGuard, UuidPipe, type Operator } from '@podium/runtime/http';
import { checkSegment } from './check-segment';
import { segmentReply, segmentWithVersions } from './definition-reply';
import { DefinitionsQuery, PublishDto } from './definition.dto';
import { DefinitionsService } from './definitions.service';
import { GivenVersion } from './draft-version';
import { CreateSegmentDto, SegmentPageReply, SegmentVersionDto, SegmentWithVersionsReply } from './segment.dto';

/** Segments, for operators. */
@ApiTags('Segments')
@ApiBearerAuth('operator-token')
@UseGuards(OperatorGuard)
@Controller('admin/v1/segments')
export class SegmentsController {
  constructor(private readonly definitions: DefinitionsService) {}

  @Post()
  @ApiOperation({
    operationId: 'createSegment',
    summary: 'Create a segment as a draft',
    description: 'Role editor for the organizer of the platform.',
  })
  @ApiCreatedResponse({ type: SegmentWithVersionsReply })
  async create(
    @CurrentOperator() operator: Operator,
    @Body() dto: CreateSegmentDto,
  ): Promise<SegmentWithVersionsReply> {
    return segmentWithVersions(await this.definitions.create('segment', operator, dto.platform, given(dto)));
  }

  @Get()
  @ApiOperation({ operationId: 'listSegments', summary: 'List segments, newest first', description: 'Role viewer.' })
  @ApiOkResponse({ type: SegmentPageReply })
  list(@CurrentOperator() operator: Operator, @Query() query: DefinitionsQuery): Promise<SegmentPageReply> {
    return this.definitions.list('segment', operator, query, segmentReply);
  }

  @Get(':id')
  @ApiOperation({ operationId: 'getSegment', summary: 'Show a segment with its versions', description: 'Role viewer.' })
  @ApiOkResponse({ type: SegmentWithVersionsReply })
  async show(
    @CurrentOperator() operator: Operator,
    @Param('id', UuidPipe) id: string,
  ): Promise<SegmentWithVersionsReply> {
    return segmentWithVersions(await this.definitions.show('segment', operator, id));
  }

  @Post(':id/versions')
  @ApiOperation({
    operationId: 'addSegmentVersion',
    summary: 'Add a version as a draft',
    description: 'Role editor. Published versions do not change.',
  })
  @ApiCreatedResponse({ type: SegmentWithVersionsReply })
  async addVersion(
    @CurrentOperator() operator: Operator,
    @Param('id', UuidPipe) id: string,
    @Body() dto: SegmentVersionDto,
  ): Promise<SegmentWithVersionsReply> {
    return segmentWithVersions(await this.definitions.addVersion('segment', operator, id, given(dto)));
  }

  @Post(':id/publish')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'publishSegment',
    summary: 'Publish a draft',
    description:
      'Role approver, another operator than the one who wrote the version. Each instant of event time meets the version that is in force at it, the first version all earlier ones too.',
  })
  @ApiOkResponse({ type: SegmentWithVersionsReply })
  async publish(
    @CurrentOperator() operator: Operator,
    @Param('id', UuidPipe) id: string,
    @Body() dto: PublishDto,
  ): Promise<SegmentWithVersionsReply> {
    return segmentWithVersions(await this.definitions.publish('segment', operator, id, dto));
  }

  @Post(':id/pause')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'pauseSegment',
    summary: 'Pause a segment',
    description: 'Role editor. Events still count; their effects follow on resume.',
  })
  @ApiOkResponse({ type: SegmentWithVersionsReply })
  async pause(
    @CurrentOperator() operator: Operator,
    @Param('id', UuidPipe) id: string,
  ): Promise<SegmentWithVersionsReply> {
    return segmentWithVersions(await this.definitions.move('segment', operator, id, 'paused'));
  }

  @Post(':id/resume')
  @HttpCode(200)
  @ApiOperation({ operationId: 'resumeSegment', summary: 'Resume a segment', description: 'Role editor.' })
  @ApiOkResponse({ type: SegmentWithVersionsReply })
  async resume(
    @CurrentOperator() operator: Operator,
    @Param('id', UuidPipe) id: string,
  ): Promise<SegmentWithVersionsReply> {
    return segmentWithVersions(await this.definitions.move('segment', operator, id, 'published'));
  }

  @Post(':id/end')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'endSegment',
    summary: 'End a segment permanently',
    description: 'Role editor. Takes effect at the first full 10 minutes that are at least 10 minutes ahead.',
  })
  @ApiOkResponse({ type: SegmentWithVersionsReply })
  async end(
    @CurrentOperator() operator: Operator,
    @Param('id', UuidPipe) id: string,
  ): Promise<SegmentWithVersionsReply> {
    return segmentWithVersions(await this.definitions.move('segment', operator, id, 'ended'));
  }
}

function given(dto: SegmentVersionDto): GivenVersion {
  return { name: dto.name, check: (catalogue) => checkSegment(dto, catalogue) };
}
