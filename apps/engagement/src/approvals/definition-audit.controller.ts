import { Controller, Get, Param, Query, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentOperator, OperatorGuard, PageQuery, UuidPipe, type Operator } from '@podium/runtime/http';
import { DefinitionAuditPageReply } from './definition-audit.dto';
import { RatesAuditQuery } from '../rates/rate.dto';
import { DefinitionAuditService } from './definition-audit.service';

/** Who changed a definition or rates, for operators. */
@ApiBearerAuth('operator-token')
@UseGuards(OperatorGuard)
@Controller('admin/v1')
export class DefinitionAuditController {
  constructor(private readonly audit: DefinitionAuditService) {}

  @Get('tasks/:id/audit')
  @ApiTags('Tasks')
  @ApiOperation({
    operationId: 'listTaskAudit',
    summary: 'List the changes of a task, newest first',
    description: 'Role viewer.',
  })
  @ApiOkResponse({ type: DefinitionAuditPageReply })
  ofTask(
    @CurrentOperator() operator: Operator,
    @Param('id', UuidPipe) id: string,
    @Query() query: PageQuery,
  ): Promise<DefinitionAuditPageReply> {
    return this.audit.list('task', operator, id, query);
  }

  @Get('segments/:id/audit')
  @ApiTags('Segments')
  @ApiOperation({
    operationId: 'listSegmentAudit',
    summary: 'List the changes of a segment, newest first',
    description: 'Role viewer.',
  })
  @ApiOkResponse({ type: DefinitionAuditPageReply })
  ofSegment(
    @CurrentOperator() operator: Operator,
    @Param('id', UuidPipe) id: string,
    @Query() query: PageQuery,
  ): Promise<DefinitionAuditPageReply> {
    return this.audit.list('segment', operator, id, query);
  }

  @Get('rates/audit')
  @ApiTags('Rates')
  @ApiOperation({
    operationId: 'listRatesAudit',
    summary: 'List the changes of the rates of an organizer, newest first',
    description: 'Role viewer.',
  })
  @ApiOkResponse({ type: DefinitionAuditPageReply })
  ofRates(@CurrentOperator() operator: Operator, @Query() query: RatesAuditQuery): Promise<DefinitionAuditPageReply> {
    return this.audit.ofRates(operator, query);
  }
}
