import { Body, Controller, Get, HttpCode, Param, Patch, Post, Query, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentOperator, OperatorGuard, PageQuery, UuidPipe, type Operator } from '@podium/runtime/http';
import { IntegrationPageReply, IntegrationReply } from './integration-reply.dto';
import { CreateIntegrationDto, UpdateIntegrationDto } from './integration.dto';
import { IntegrationService } from './integration.service';
import { recommendation } from './onboarding';

/** Partner integrations, for operators. */
@ApiTags('Integrations')
@ApiBearerAuth()
@UseGuards(OperatorGuard)
@Controller('admin/v1/integrations')
export class IntegrationsController {
  constructor(private readonly integrations: IntegrationService) {}

  @Post()
  @ApiOperation({
    operationId: 'createIntegration',
    summary: 'Create an integration',
    description: `Role admin for the organizer. The answer says what to hand to the partner. ${recommendation}`,
  })
  @ApiCreatedResponse({ type: IntegrationReply })
  create(@CurrentOperator() operator: Operator, @Body() dto: CreateIntegrationDto): Promise<IntegrationReply> {
    return this.integrations.create(operator, dto);
  }

  @Get()
  @ApiOperation({
    operationId: 'listIntegrations',
    summary: 'List integrations by platform',
    description: 'Role viewer.',
  })
  @ApiOkResponse({ type: IntegrationPageReply })
  list(@CurrentOperator() operator: Operator, @Query() query: PageQuery): Promise<IntegrationPageReply> {
    return this.integrations.list(operator, query);
  }

  @Get(':integration_id')
  @ApiOperation({ operationId: 'showIntegration', summary: 'Show an integration', description: 'Role viewer.' })
  @ApiOkResponse({ type: IntegrationReply })
  show(
    @CurrentOperator() operator: Operator,
    @Param('integration_id', UuidPipe) integrationId: string,
  ): Promise<IntegrationReply> {
    return this.integrations.show(operator, integrationId);
  }

  @Patch(':integration_id')
  @ApiOperation({
    operationId: 'updateIntegration',
    summary: 'Change an integration or rotate its client secret',
    description: 'Role admin. Platform, partner and organizer never change.',
  })
  @ApiOkResponse({ type: IntegrationReply })
  update(
    @CurrentOperator() operator: Operator,
    @Param('integration_id', UuidPipe) integrationId: string,
    @Body() dto: UpdateIntegrationDto,
  ): Promise<IntegrationReply> {
    return this.integrations.update(operator, integrationId, dto);
  }

  @Post(':integration_id/pause')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'pauseIntegration',
    summary: 'Pause an integration',
    description: 'Role editor. Events of the partner get 403 integration_paused until it is resumed.',
  })
  @ApiOkResponse({ type: IntegrationReply })
  pause(
    @CurrentOperator() operator: Operator,
    @Param('integration_id', UuidPipe) integrationId: string,
  ): Promise<IntegrationReply> {
    return this.integrations.setStatus(operator, integrationId, 'paused');
  }

  @Post(':integration_id/resume')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'resumeIntegration',
    summary: 'Resume a paused integration',
    description: 'Role editor. Refused until what a restore left empty has been entered.',
  })
  @ApiOkResponse({ type: IntegrationReply })
  resume(
    @CurrentOperator() operator: Operator,
    @Param('integration_id', UuidPipe) integrationId: string,
  ): Promise<IntegrationReply> {
    return this.integrations.setStatus(operator, integrationId, 'active');
  }
}
