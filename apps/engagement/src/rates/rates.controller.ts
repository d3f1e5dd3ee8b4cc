import { Body, Controller, Get, HttpCode, Post, Query, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentOperator, OperatorGuard, type Operator } from '@podium/runtime/http';
import { RatePageReply, RatesDto, RatesQuery, RatesReply } from './rate.dto';
import { RatesService } from './rates.service';

/** Rates of exchange, for operators. */
@ApiTags('Rates')
@ApiBearerAuth('operator-token')
@UseGuards(OperatorGuard)
@Controller('admin/v1/rates')
export class RatesController {
  constructor(private readonly rates: RatesService) {}

  @Get()
  @ApiOperation({
    operationId: 'listRates',
    summary: 'List rates by pair, newest day first',
    description: 'Role viewer.',
  })
  @ApiOkResponse({ type: RatePageReply })
  list(@CurrentOperator() operator: Operator, @Query() query: RatesQuery): Promise<RatePageReply> {
    return this.rates.list(operator, query);
  }

  @Post()
  @HttpCode(200)
  @ApiOperation({
    operationId: 'giveRates',
    summary: 'Give rates of past days',
    description:
      'Role editor. Given rates convert nothing until another operator has approved them; until then they may be given again.',
  })
  @ApiOkResponse({ type: RatesReply })
  give(@CurrentOperator() operator: Operator, @Body() dto: RatesDto): Promise<RatesReply> {
    return this.rates.give(operator, dto);
  }

  @Post('approve')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'approveRates',
    summary: 'Approve given rates, permanently',
    description:
      'Role approver, another operator than the one who gave them; the rates are stated again. Users of the definitions that use ' +
      'the pairs are evaluated again in the background.',
  })
  @ApiOkResponse({ type: RatesReply })
  approve(@CurrentOperator() operator: Operator, @Body() dto: RatesDto): Promise<RatesReply> {
    return this.rates.approve(operator, dto);
  }
}
