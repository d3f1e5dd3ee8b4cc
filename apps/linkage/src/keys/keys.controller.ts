import { Body, Controller, Get, HttpCode, Param, Post, Query, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentOperator, OperatorGuard, PageQuery, UuidPipe, type Operator } from '@podium/runtime/http';
import {
  CreateKeyDto,
  CreatedKeyReply,
  ExpireKeyDto,
  KeyPageReply,
  KeyReply,
  RotateKeyDto,
} from './every-kind/api-key.dto';
import { EventKeyService } from './event-keys/event-key.service';
import { CreateDataKeyDto, DataKeyQuery } from './data-keys/data-key.dto';
import { DataKeyService } from './data-keys/data-key.service';
import { KeyIdPipe } from './every-kind/key-id.pipe';
import { KeyExpiryService } from './rotation/key-expiry.service';
import { KeyRotationService } from './rotation/key-rotation.service';

/** API keys, for operators. */
@ApiTags('Keys')
@ApiBearerAuth()
@UseGuards(OperatorGuard)
@Controller('admin/v1')
export class KeysController {
  constructor(
    private readonly eventKeys: EventKeyService,
    private readonly dataKeys: DataKeyService,
    private readonly rotation: KeyRotationService,
    private readonly expiry: KeyExpiryService,
  ) {}

  @Post('integrations/:integration_id/keys')
  @ApiOperation({
    operationId: 'createEventKey',
    summary: 'Create an event key',
    description: 'Role admin. The key is shown only once; at most two may be live.',
  })
  @ApiCreatedResponse({ type: CreatedKeyReply })
  create(
    @CurrentOperator() operator: Operator,
    @Param('integration_id', UuidPipe) integrationId: string,
    @Body() dto: CreateKeyDto,
  ): Promise<CreatedKeyReply> {
    return this.eventKeys.create(operator, integrationId, dto);
  }

  @Get('integrations/:integration_id/keys')
  @ApiOperation({ operationId: 'listEventKeys', summary: 'List event keys, newest first', description: 'Role viewer.' })
  @ApiOkResponse({ type: KeyPageReply })
  list(
    @CurrentOperator() operator: Operator,
    @Param('integration_id', UuidPipe) integrationId: string,
    @Query() query: PageQuery,
  ): Promise<KeyPageReply> {
    return this.eventKeys.list(operator, integrationId, query);
  }

  @Post('keys')
  @ApiOperation({
    operationId: 'createDataKey',
    summary: 'Create a data key',
    description:
      'Role admin of the organizer_id, or of the whole service when it is left out. The scope queues:organizer needs role ' +
      'admin of each organizer named, queues:developer of the whole service. The key is shown only once.',
  })
  @ApiCreatedResponse({ type: CreatedKeyReply })
  createDataKey(@CurrentOperator() operator: Operator, @Body() dto: CreateDataKeyDto): Promise<CreatedKeyReply> {
    return this.dataKeys.create(operator, dto);
  }

  @Get('keys')
  @ApiOperation({
    operationId: 'listDataKeys',
    summary: 'List data keys, newest first',
    description: "Role viewer; the service's own are for operators of the whole service.",
  })
  @ApiOkResponse({ type: KeyPageReply })
  listDataKeys(@CurrentOperator() operator: Operator, @Query() query: DataKeyQuery): Promise<KeyPageReply> {
    return this.dataKeys.list(operator, query);
  }

  @Post('keys/:key_id/rotate')
  @ApiOperation({
    operationId: 'rotateKey',
    summary: 'Replace a key by a new one with the same rights',
    description:
      'Role admin; for a data key also for everything that its scopes allow. The new key is shown only once; the former ' +
      'stays valid until the overlap ends. The key must be the only live one: an event key of its integration, a data key of ' +
      'its name and organizer_id.',
  })
  @ApiCreatedResponse({ type: CreatedKeyReply })
  rotate(
    @CurrentOperator() operator: Operator,
    @Param('key_id', KeyIdPipe) keyId: string,
    @Body() dto: RotateKeyDto,
  ): Promise<CreatedKeyReply> {
    return this.rotation.rotate(operator, keyId, dto);
  }

  @Post('keys/:key_id/revoke')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'revokeKey',
    summary: 'Revoke a key permanently, within seconds',
    description: 'Role admin.',
  })
  @ApiOkResponse({ type: KeyReply })
  revoke(@CurrentOperator() operator: Operator, @Param('key_id', KeyIdPipe) keyId: string): Promise<KeyReply> {
    return this.expiry.revoke(operator, keyId);
  }

  @Post('keys/:key_id/expire')
  @HttpCode(200)
  @ApiOperation({ operationId: 'expireKey', summary: 'Set when a key expires', description: 'Role admin.' })
  @ApiOkResponse({ type: KeyReply })
  expire(
    @CurrentOperator() operator: Operator,
    @Param('key_id', KeyIdPipe) keyId: string,
    @Body() dto: ExpireKeyDto,
  ): Promise<KeyReply> {
    return this.expiry.expire(operator, keyId, dto.not_after);
  }
}
