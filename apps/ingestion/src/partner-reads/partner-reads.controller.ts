import { Controller, Get, Headers, Query, Res, UseGuards } from '@nestjs/common';
import { partnerReadPaths } from '@podium/messages';
import { type Page, PageQuery } from '@podium/runtime/http';
import type { FastifyReply } from 'fastify';
import { DriftDto } from '../drift/drift.dto';
import { DriftService } from '../drift/drift.service';
import { PartnerContract } from './partner-contract';
import { RefusedEventDto, RefusedEventsQuery } from '../refusals/refused-events.dto';
import { RefusedEventsService } from '../refusals/refused-events.service';
import { CallerPlatform, PartnerGuard } from './partner.guard';

/** What partners read of themselves through the gateway; `documentation/` describes the public routes. */
@UseGuards(PartnerGuard)
@Controller()
export class PartnerReadsController {
  constructor(
    private readonly contract: PartnerContract,
    private readonly refusedEvents: RefusedEventsService,
    private readonly drift: DriftService,
  ) {}

  @Get(partnerReadPaths.contract)
  showContract(
    @CallerPlatform() platform: string,
    @Headers('if-none-match') ifNoneMatch: string | undefined,
    @Res() reply: FastifyReply,
  ): void {
    this.contract.send(platform, ifNoneMatch, reply);
  }

  @Get(partnerReadPaths.refusals)
  listRefusals(@CallerPlatform() platform: string, @Query() query: RefusedEventsQuery): Promise<Page<RefusedEventDto>> {
    return this.refusedEvents.list(platform, query);
  }

  @Get(partnerReadPaths.drift)
  listDrift(@CallerPlatform() platform: string, @Query() query: PageQuery): Promise<Page<DriftDto>> {
    return this.drift.list(platform, query);
  }
}
