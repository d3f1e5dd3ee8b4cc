import { Controller, Get, Head, Param, Req, Res, UseGuards } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isUuid } from '@podium/runtime/http';
import { FlowBrowser } from '../connect/flow-browser';
import { GatewayGuard } from '../connect/gateway.guard';
import { Pages } from '../connect/pages';
import { Sessions } from '../connect/sessions';
import { texts } from '../connect/texts';
import { parseCallbackQuery } from './callback-query';
import { FinishLink } from './finish-link';

/** Where partners send users back to (specification, Successful and Failed redirect). */
@ApiExcludeController()
@UseGuards(GatewayGuard)
@Controller('v1/oauth/callback')
export class OauthCallbackController {
  constructor(
    private readonly finishLink: FinishLink,
    private readonly flowBrowser: FlowBrowser,
    private readonly sessions: Sessions,
    private readonly pages: Pages,
  ) {}

  /** Looks at nothing and uses nothing up. */
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
    // A browser that only looks ahead must not use the code up; it asks again when the user really comes.
    if (isPrefetch(request)) return void reply.status(503).header('cache-control', 'no-store').send();
    if (!isUuid(integrationId)) return this.pages.message(reply, 404, texts.goneTitle, texts.gone);
    const at = request.url.indexOf('?');
    const outcome = await this.finishLink.finish({
      integrationId: integrationId.toLowerCase(),
      query: parseCallbackQuery(at < 0 ? '' : request.url.slice(at)),
      browserSecret: this.flowBrowser.read(request),
      session: await this.sessions.read(request),
    });
    this.pages.outcome(reply, outcome);
  }
}

function isPrefetch(request: FastifyRequest): boolean {
  return ['purpose', 'sec-purpose', 'x-purpose', 'x-moz'].some((name) =>
    /prefetch|prerender|preview/i.test(String(request.headers[name] ?? '')),
  );
}
