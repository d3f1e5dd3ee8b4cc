import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query, Req, Res, UseGuards } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiBearerAuth,
  ApiExtension,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { UuidPipe } from '@podium/runtime/http';
import { FlowCookie } from '../browser/flow-cookie';
import { CurrentUser, UserGuard } from '../browser/user.guard';
import type { LinkingUser } from '../browser/linking-user';
import {
  StartLinkDto,
  StartLinkReply,
  UnlinkReply,
  UserLinkQuery,
  UserPartnerReply,
  UserPartnersReply,
} from './me-links.dto';
import { LinkChangeRate } from './link-change-rate';
import { StartLink } from './start-link';
import { Unlink } from './unlink';
import { UserLinks, UserPartner } from './user-links';

/** A user's links, for programs with the user's token and for the pages of /connect. */
@ApiTags('Links')
@ApiBearerAuth()
@UseGuards(UserGuard)
@Controller('v1/me/links')
export class MeLinksController {
  constructor(
    private readonly userLinks: UserLinks,
    private readonly startLink: StartLink,
    private readonly unlink: Unlink,
    private readonly flowCookie: FlowCookie,
    private readonly changeRate: LinkChangeRate,
  ) {}

  @Get()
  @ApiOperation({ operationId: 'listMyLinks', summary: 'List partners with my links' })
  @ApiOkResponse({ type: UserPartnersReply })
  async list(@CurrentUser() user: LinkingUser): Promise<UserPartnersReply> {
    return { partners: (await this.userLinks.list(user.userId)).map(reply) };
  }

  @Get(':integration_id')
  @ApiOperation({ operationId: 'getMyLink', summary: 'Show my link with one partner' })
  @ApiOkResponse({ type: UserPartnerReply })
  async get(
    @CurrentUser() user: LinkingUser,
    @Param('integration_id', UuidPipe) integrationId: string,
    @Query() query: UserLinkQuery,
  ): Promise<UserPartnerReply> {
    return reply(await this.userLinks.get(user.userId, integrationId, query.refresh === 'true'));
  }

  @Post(':integration_id/start')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'startLink',
    summary: 'Begin linking',
    description: 'Open the returned URL in the same browser, which must store the cookie of this response.',
  })
  @ApiOkResponse({ type: StartLinkReply })
  @ApiExtension('x-error-codes', ['integration_paused'])
  async start(
    @CurrentUser() user: LinkingUser,
    @Param('integration_id', UuidPipe) integrationId: string,
    @Body() body: StartLinkDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) response: FastifyReply,
  ): Promise<StartLinkReply> {
    await this.changeRate.take(user.userId);
    const options = { returnTo: body.return_to, browserSecret: this.flowCookie.read(request) };
    const started = await this.startLink.start(user, integrationId, options);
    this.flowCookie.remember(response, started.browserSecret);
    return { authorization_url: started.authorizationUrl };
  }

  @Delete(':integration_id')
  @HttpCode(202)
  @ApiOperation({ operationId: 'unlink', summary: 'End my link with one partner; confirmed once every service has it' })
  @ApiAcceptedResponse({ type: UnlinkReply })
  async delete(
    @CurrentUser() user: LinkingUser,
    @Param('integration_id', UuidPipe) integrationId: string,
  ): Promise<UnlinkReply> {
    await this.changeRate.take(user.userId);
    const link = await this.unlink.unlink(user.userId, integrationId);
    return { state: 'unlinked', unlinked_at: link.unlinkedAt?.toISOString() ?? null };
  }
}

function reply({ integration_id, platform, display_name, link }: UserPartner): UserPartnerReply {
  return { integration_id, platform, display_name, link };
}
