import { Controller, Get, Query, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentOperator, type Operator, OperatorGuard } from '@podium/runtime/http';
import { AuditPageReply, AuditQuery } from './audit.dto';
import { AuditService } from './audit.service';

/** The audit log, for operators. */
@ApiTags('Audit')
@ApiBearerAuth()
@UseGuards(OperatorGuard)
@Controller('admin/v1/audit')
export class AuditController {
  constructor(private readonly audit: AuditService) {}

  @Get()
  @ApiOperation({ operationId: 'listAudit', summary: 'List changes, newest first', description: 'Role viewer.' })
  @ApiOkResponse({ type: AuditPageReply })
  list(@CurrentOperator() operator: Operator, @Query() query: AuditQuery): Promise<AuditPageReply> {
    return this.audit.list(operator, query);
  }
}
