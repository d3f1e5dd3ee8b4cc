import { Controller, Get, Head, Param, Req, Res, UseGuards } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isUuid } from '@podium/runtime/http';
import { FlowCookie } from '../browser/flow-cookie';
import { GatewayGuard } from '../browser/gateway.guard';
import { isPrefetch, tooEarly } from '../browser/prefetch';
import { Pages } from './pages';
import { Sessions } from '../browser/sessions';
import { parseCallbackQuery } from '@podium/partner-check/protocol/callback-query';
import { CheckReturns } from '../checks/check-returns';
import { FinishLink } from '../links/finish-link';
import { RedirectBases } from '../links/redirect-bases';

/** The endpoint to which partners redirect users (specification, Successful and Failed redirect). */
@ApiExcludeController()
@UseGuards(GatewayGuard)
@Controller('v1/oauth/callback')
export class OauthCallbackController {
  constructor(
    private readonly finishLink: FinishLink,
    private readonly checkReturns: CheckReturns,
    private readonly flowCookie: FlowCookie,
    private readonly sessions: Sessions,
    private readonly pages: Pages,
    private readonly redirectBases: RedirectBases,
  ) {}

  /** Has no effect: the code and state stay valid. */
  @Head(':integration_id')
  head(@Res() reply: FastifyReply): void {
    void reply.status(204).header('cache-control', 'no-store').send();
  }

  @Get(':integration_id')
  async callback(
    @Param('integration_id') integrationId: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    // A prefetch must not use up the code; the browser asks again when the user really follows the redirect.
    if (isPrefetch(request)) return void reply.status(tooEarly).header('cache-control', 'no-store').send();
    if (!isUuid(integrationId)) return this.pages.gone(reply);
    const elsewhere = this.redirectBases.continuationOf(hostOf(request), request.url);
    if (elsewhere !== null)
      return void reply
        .headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
        .redirect(elsewhere, 303);
    const at = request.url.indexOf('?');
    const search = at < 0 ? '' : request.url.slice(at);
    const browserSecret = this.flowCookie.read(request);
    const ofCheck = await this.checkReturns.take(integrationId.toLowerCase(), search, browserSecret);
    if (ofCheck === 'taken') return this.pages.checkReturned(reply);
    if (ofCheck === 'other_browser') return this.pages.checkElsewhere(reply);
    const outcome = await this.finishLink.finish({
      integrationId: integrationId.toLowerCase(),
      query: parseCallbackQuery(search),
      browserSecret,
      session: await this.sessions.read(request),
    });
    this.pages.outcome(reply, outcome);
  }
}

/** The host that the browser asked, as the gateway says. */
function hostOf(request: FastifyRequest): string | undefined {
  const host = request.headers['x-forwarded-host'];
  return typeof host === 'string' ? host : undefined;
}
