import { Body, Controller, Get, Param, Post, Query, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentOperator, OperatorGuard, PageQuery, UuidPipe, type Operator } from '@podium/runtime/http';
import { ContractPageReply, ContractReply, PublishContractDto } from './contract.dto';
import { ContractService } from './contract.service';

/** Contracts of integrations, for operators. */
@ApiTags('Contracts')
@ApiBearerAuth()
@UseGuards(OperatorGuard)
@Controller('admin/v1/integrations/:integration_id/contracts')
export class ContractsController {
  constructor(private readonly contracts: ContractService) {}

  @Post()
  @ApiOperation({
    operationId: 'publishContract',
    summary: 'Publish a version of the contract',
    description:
      'Role editor. The whole list; names are added or retired; kinds, types and what is declared of numbers never change. ' +
      'A list that the newest version has already, from the same or an earlier time on, makes no version and returns the ' +
      'newest: repeat a request whose answer was lost. A conflict says that versions are too many or too large together: ' +
      'those of the last hour and those that are scheduled share one record.',
  })
  @ApiCreatedResponse({ type: ContractReply })
  publish(
    @CurrentOperator() operator: Operator,
    @Param('integration_id', UuidPipe) integrationId: string,
    @Body() dto: PublishContractDto,
  ): Promise<ContractReply> {
    return this.contracts.publish(operator, integrationId, dto);
  }

  @Get()
  @ApiOperation({
    operationId: 'listContracts',
    summary: 'List versions of the contract, newest first',
    description: 'Role viewer.',
  })
  @ApiOkResponse({ type: ContractPageReply })
  list(
    @CurrentOperator() operator: Operator,
    @Param('integration_id', UuidPipe) integrationId: string,
    @Query() query: PageQuery,
  ): Promise<ContractPageReply> {
    return this.contracts.list(operator, integrationId, query);
  }
}
