import { Controller, Get, Query, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentOperator, type Operator, OperatorGuard, type Page } from '@podium/runtime/http';
import { DriftDto, DriftPageDto, PlatformDriftQuery } from './drift.dto';
import { DriftService } from './drift.service';

/** Lets operators see on which names a partner's events and its contract differ. */
@ApiTags('Refusals')
@ApiBearerAuth('operator-token')
@UseGuards(OperatorGuard)
@Controller('admin/v1/drift')
export class DriftController {
  constructor(private readonly drift: DriftService) {}

  @Get()
  @ApiOperation({
    operationId: 'listDrift',
    summary: "Names on which a platform's events and its contract differ, per day",
    description:
      'Events with a name that is not negotiated, attributes that are left out, and values that do not parse as their type. ' +
      'Names are as the partner sent them; values are never stored. Needs the role viewer for the organizer of the platform. ' +
      'Counts appear within seconds and stay for 14 days.',
  })
  @ApiOkResponse({ type: DriftPageDto })
  list(@CurrentOperator() operator: Operator, @Query() query: PlatformDriftQuery): Promise<Page<DriftDto>> {
    return this.drift.listFor(operator, query);
  }
}
