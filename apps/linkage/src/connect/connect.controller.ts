import { Controller, Get, Param, Post, Query, Req, Res, UseGuards } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { CodedError } from '@podium/messages';
import type { FastifyReply as Reply, FastifyRequest as Request } from 'fastify';
import { UuidPipe, isUuid } from '@podium/runtime/http';
import { LinkChangeRate } from '../links/link-change-rate';
import { StartLink } from '../links/start-link';
import { Unlink } from '../links/unlink';
import { UserLinks } from '../links/user-links';
import { FlowCookie } from '../browser/flow-cookie';
import { GatewayGuard } from '../browser/gateway.guard';
import { OwnOrigin } from '../browser/own-origin';
import { Pages } from './pages';
import { Session, Sessions } from '../browser/sessions';

/** The integration that a path names. */
const IntegrationId = () => Param('integration_id', UuidPipe);

/** The pages on which users see, connect and disconnect partners; every step works without script. */
@ApiExcludeController()
@UseGuards(GatewayGuard)
@Controller('connect')
export class ConnectController {
  constructor(
    private readonly pages: Pages,
    private readonly sessions: Sessions,
    private readonly ownOrigin: OwnOrigin,
    private readonly userLinks: UserLinks,
    private readonly startLink: StartLink,
    private readonly unlink: Unlink,
    private readonly flowCookie: FlowCookie,
    private readonly changeRate: LinkChangeRate,
  ) {}

  @Get()
  async show(@Req() request: Request, @Res() reply: Reply, @Query('disconnected') asked?: unknown): Promise<void> {
    const session = await this.sessions.read(request);
    if (!session) return this.pages.welcome(reply);
    const partners = await this.userLinks.list(session.userId);
    // Shown only for a partner whose link has ended or is ending: the address alone must not put a sentence on the page.
    const isNamed = typeof asked === 'string' && isUuid(asked);
    const disconnected = isNamed ? await this.userLinks.endedWith(session.userId, asked) : null;
    this.pages.partners(reply, session, { partners, disconnected });
  }

  @Get('assets/:path')
  asset(@Param('path') path: string, @Res() reply: Reply): void {
    const asset = this.pages.assets.find((candidate) => candidate.path === path);
    if (!asset) throw new CodedError('not_found');
    void reply
      .headers({
        'content-type': asset.type,
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
      })
      .send(asset.body);
  }

  @Post('start/:integration_id')
  async start(@IntegrationId() integrationId: string, @Req() request: Request, @Res() reply: Reply): Promise<void> {
    await this.change(request, reply, async (session) => {
      const browserSecret = this.flowCookie.read(request);
      const started = await this.startLink.start(session, integrationId, { browserSecret });
      this.flowCookie.remember(reply, started.browserSecret);
      this.pages.opening(reply, started.displayName, started.authorizationUrl);
    });
  }

  @Get('disconnect/:integration_id')
  async confirmDisconnect(
    @IntegrationId() integrationId: string,
    @Req() request: Request,
    @Res() reply: Reply,
  ): Promise<void> {
    const session = await this.sessions.read(request);
    if (!session) return void reply.redirect('/connect', 303);
    const partner = (await this.userLinks.list(session.userId)).find((row) => row.integration_id === integrationId);
    if (!partner?.link) return this.pages.gone(reply);
    this.pages.confirmDisconnect(reply, session, partner);
  }

  @Post('disconnect/:integration_id')
  async disconnect(
    @IntegrationId() integrationId: string,
    @Req() request: Request,
    @Res() reply: Reply,
  ): Promise<void> {
    await this.change(request, reply, async (session) => {
      await this.endLink(session.userId, integrationId);
      void reply.redirect(`/connect?disconnected=${integrationId}`, 303);
    });
  }

  /** A link that has ended already is no error: the second click, or a tab that still shows it, may come after the confirmation. */
  private async endLink(userId: string, integrationId: string): Promise<void> {
    try {
      await this.unlink.unlink(userId, integrationId);
    } catch (error) {
      const isGone = error instanceof CodedError && error.code === 'not_found';
      if (!isGone || !(await this.userLinks.hasEnded(userId, integrationId))) throw error;
    }
  }

  /** Handles a form of a page: checks origin, session and the user's rate, and shows users' errors as pages. */
  private async change(request: Request, reply: Reply, work: (session: Session) => Promise<void>): Promise<void> {
    try {
      this.ownOrigin.require(request);
      const session = await this.sessions.read(request);
      if (!session) return void reply.redirect('/connect', 303);
      await this.changeRate.take(session.userId);
      await work(session);
    } catch (error) {
      if (!(error instanceof CodedError) || error.status >= 500) throw error;
      if (error.code === 'origin_refused') return this.pages.foreign(reply);
      if (error.code === 'not_found') return this.pages.gone(reply);
      this.pages.refused(reply, error);
    }
  }
}
