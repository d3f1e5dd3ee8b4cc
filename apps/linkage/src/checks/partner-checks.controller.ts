import { Controller, Get, HttpCode, Param, Post, UseGuards } from '@nestjs/common';
import { ApiAcceptedResponse, ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentOperator, OperatorGuard, UuidPipe, type Operator } from '@podium/runtime/http';
import { IntegrationReply } from '../integrations/integration-reply.dto';
import { PartnerCheckReply, PartnerChecksReply } from './partner-check.dto';
import { PartnerChecks } from './partner-checks.service';

/** Checks of partners' servers, for operators. */
@ApiTags('Integrations')
@ApiBearerAuth()
@UseGuards(OperatorGuard)
@Controller('admin/v1/integrations/:integration_id/checks')
export class PartnerChecksController {
  constructor(private readonly checks: PartnerChecks) {}

  @Post()
  @HttpCode(202)
  @ApiOperation({
    operationId: 'startPartnerCheck',
    summary: "Check a partner's server against the specification",
    description:
      'Role editor. Waits some seconds for the first log-in to be needed; then read the check until it is finished. ' +
      'One check of an integration runs at a time.',
  })
  @ApiAcceptedResponse({ type: PartnerCheckReply })
  start(
    @CurrentOperator() operator: Operator,
    @Param('integration_id', UuidPipe) integrationId: string,
  ): Promise<PartnerCheckReply> {
    return this.checks.start(operator, integrationId);
  }

  @Get()
  @ApiOperation({
    operationId: 'listPartnerChecks',
    summary: "List the last checks of a partner's server",
    description: 'Role viewer. The newest 20, without reports.',
  })
  @ApiOkResponse({ type: PartnerChecksReply })
  list(
    @CurrentOperator() operator: Operator,
    @Param('integration_id', UuidPipe) integrationId: string,
  ): Promise<PartnerChecksReply> {
    return this.checks.list(operator, integrationId);
  }

  @Get(':check_id')
  @ApiOperation({
    operationId: 'showPartnerCheck',
    summary: 'Show a check and its report',
    description: 'Role viewer; the URL of a log-in is shown to role editor only.',
  })
  @ApiOkResponse({ type: PartnerCheckReply })
  show(
    @CurrentOperator() operator: Operator,
    @Param('integration_id', UuidPipe) integrationId: string,
    @Param('check_id', UuidPipe) checkId: string,
  ): Promise<PartnerCheckReply> {
    return this.checks.show(operator, integrationId, checkId);
  }

  @Post(':check_id/apply')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'applyPartnerCheck',
    summary: 'Apply the profile that a check derived',
    description:
      'Role admin. Only what the check observed is changed. A conflict when the integration has changed since the check began.',
  })
  @ApiOkResponse({ type: IntegrationReply })
  apply(
    @CurrentOperator() operator: Operator,
    @Param('integration_id', UuidPipe) integrationId: string,
    @Param('check_id', UuidPipe) checkId: string,
  ): Promise<IntegrationReply> {
    return this.checks.apply(operator, integrationId, checkId);
  }
}
