import { Body, Controller, Get, HttpCode, Param, Post, UseGuards } from '@nestjs/common';
import { ApiAcceptedResponse, ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentOperator, OperatorGuard, UuidPipe, type Operator } from '@podium/runtime/http';
import { CreateErasureDto, ErasureReply } from './erasure.dto';
import { ErasuresService } from './erasures.service';

/** Erasures of users, for operators. */
@ApiTags('Erasures')
@ApiBearerAuth()
@UseGuards(OperatorGuard)
@Controller('admin/v1/erasures')
export class ErasuresController {
  constructor(private readonly erasures: ErasuresService) {}

  @Post()
  @HttpCode(202)
  @ApiOperation({
    operationId: 'eraseUser',
    summary: 'Erase a user in every service',
    description:
      'Role admin of the organizer of the platform; of the whole service when no platform is given. Send user_id, or ' +
      'platform and platform_user_id. A repeated request returns the same erasure until it is complete. It cannot be undone.',
  })
  @ApiAcceptedResponse({ type: ErasureReply })
  create(@CurrentOperator() operator: Operator, @Body() dto: CreateErasureDto): Promise<ErasureReply> {
    return this.erasures.create(operator, dto);
  }

  @Get(':erasure_id')
  @ApiOperation({
    operationId: 'getErasure',
    summary: 'Show the progress of an erasure',
    description: 'Role viewer of the whole service; the operator who requested it may see it too.',
  })
  @ApiOkResponse({ type: ErasureReply })
  show(@CurrentOperator() operator: Operator, @Param('erasure_id', UuidPipe) erasureId: string): Promise<ErasureReply> {
    return this.erasures.show(operator, erasureId);
  }
}
