import { Controller, Get, Query, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentOperator, type Operator, OperatorGuard } from '@podium/runtime/http';
import { AwardPageReply, AwardsQuery } from './award.dto';
import { AwardsService } from './awards.service';

/** The award ledger, for operators. */
@ApiTags('Awards')
@ApiBearerAuth('operator-token')
@UseGuards(OperatorGuard)
@Controller('admin/v1/awards')
export class AwardsController {
  constructor(private readonly awards: AwardsService) {}

  @Get()
  @ApiOperation({
    operationId: 'listAwards',
    summary: 'List awards with their ledgers, newest first',
    description: 'Role viewer.',
  })
  @ApiOkResponse({ type: AwardPageReply })
  list(@CurrentOperator() operator: Operator, @Query() query: AwardsQuery): Promise<AwardPageReply> {
    return this.awards.list(operator, query);
  }
}
