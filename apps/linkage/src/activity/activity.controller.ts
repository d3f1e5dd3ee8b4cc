import { Controller, Get, Param, Query, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentOperator, type Operator, OperatorGuard, UuidPipe } from '@podium/runtime/http';
import { ExchangesPageReply, ExchangesQuery, RefreshesPageReply, RefreshesQuery } from './activity-lists.dto';
import { LinkingReportQuery, LinkingReportReply } from './linking-report.dto';
import { ActivityService } from './activity.service';

/** How linking with a partner works, for operators. */
@ApiTags('Linking')
@ApiBearerAuth()
@UseGuards(OperatorGuard)
@Controller('admin/v1/integrations')
export class ActivityController {
  constructor(private readonly activity: ActivityService) {}

  @Get(':integration_id/linking')
  @ApiOperation({
    operationId: 'showLinking',
    summary: 'Show how linking with a partner works',
    description:
      'Role viewer. Steps of linking flows with times and reasons, requests to the partner, circuit breakers. A crash of ' +
      'an instance loses its counts of about a second.',
  })
  @ApiOkResponse({ type: LinkingReportReply })
  report(
    @CurrentOperator() operator: Operator,
    @Param('integration_id', UuidPipe) integrationId: string,
    @Query() query: LinkingReportQuery,
  ): Promise<LinkingReportReply> {
    return this.activity.report(operator, integrationId, query);
  }

  @Get(':integration_id/exchanges')
  @ApiOperation({
    operationId: 'listExchanges',
    summary: 'List requests to a partner with its responses, redacted',
    description:
      'Role viewer. The newest 100 that succeeded and the newest 100 that failed, for 7 days, without codes, tokens, ' +
      'secrets and data of users.',
  })
  @ApiOkResponse({ type: ExchangesPageReply })
  exchanges(
    @CurrentOperator() operator: Operator,
    @Param('integration_id', UuidPipe) integrationId: string,
    @Query() query: ExchangesQuery,
  ): Promise<ExchangesPageReply> {
    return this.activity.exchanges(operator, integrationId, query);
  }

  @Get(':integration_id/refreshes')
  @ApiOperation({
    operationId: 'listRefreshes',
    summary: 'List refreshes of access tokens at a partner',
    description: 'Role viewer. Each refresh token that was sent, with what became of it.',
  })
  @ApiOkResponse({ type: RefreshesPageReply })
  refreshes(
    @CurrentOperator() operator: Operator,
    @Param('integration_id', UuidPipe) integrationId: string,
    @Query() query: RefreshesQuery,
  ): Promise<RefreshesPageReply> {
    return this.activity.refreshes(operator, integrationId, query);
  }
}
