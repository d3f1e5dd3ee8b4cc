import { Controller, Get, Query, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentOperator, type Operator, OperatorGuard, type Page } from '@podium/runtime/http';
import { RefusalDto, RefusalsPageDto, RefusalsQuery } from './refusals.dto';
import { RefusalsService } from './refusals.service';

/** Lets operators see which events of a partner are refused, and why. */
@ApiTags('Refusals')
@ApiBearerAuth('operator-token')
@UseGuards(OperatorGuard)
@Controller('admin/v1/refusals')
export class RefusalsController {
  constructor(private readonly refusals: RefusalsService) {}

  @Get()
  @ApiOperation({
    operationId: 'listRefusals',
    summary: "A platform's refused events per day, code and user",
    description:
      'Needs the role viewer for the organizer of the platform. Counts appear within seconds and stay for 30 days.',
  })
  @ApiOkResponse({ type: RefusalsPageDto })
  list(@CurrentOperator() operator: Operator, @Query() query: RefusalsQuery): Promise<Page<RefusalDto>> {
    return this.refusals.list(operator, query);
  }
}
