import { Controller, Get, Query, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentOperator, type Operator, OperatorGuard } from '@podium/runtime/http';
import { AdminLinksPageReply, AdminLinksQuery } from './admin-links.dto';
import { AdminLinks } from './admin-links';

/** Links, for operators. */
@ApiTags('Links')
@ApiBearerAuth()
@UseGuards(OperatorGuard)
@Controller('admin/v1/links')
export class AdminLinksController {
  constructor(private readonly adminLinks: AdminLinks) {}

  @Get()
  @ApiOperation({ operationId: 'listLinks', summary: 'List links', description: 'Role viewer.' })
  @ApiOkResponse({ type: AdminLinksPageReply })
  list(@CurrentOperator() operator: Operator, @Query() query: AdminLinksQuery): Promise<AdminLinksPageReply> {
    return this.adminLinks.list(operator, query);
  }
}
