import { Controller, Get, Query, Req, Res, UseGuards } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { FlowCookie } from '../browser/flow-cookie';
import { GatewayGuard } from '../browser/gateway.guard';
import { isPrefetch, tooEarly } from '../browser/prefetch';
import { OpenCheckLogIn } from '../checks/open-check-log-in';
import { Pages } from './pages';

/**
 * The address at which an operator opens a log-in of a check. It marks the browser and leads on to the partner. The secret is
 * not in the path, because paths are logged.
 */
@ApiExcludeController()
@UseGuards(GatewayGuard)
@Controller('connect/check')
export class CheckLogInController {
  constructor(
    private readonly openCheckLogIn: OpenCheckLogIn,
    private readonly flowCookie: FlowCookie,
    private readonly pages: Pages,
  ) {}

  @Get()
  async open(
    @Query('entry') entry: unknown,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    void reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
    // These would take the log-in from the browser in which it is under way.
    if (request.method === 'HEAD' || isPrefetch(request)) return void reply.status(tooEarly).send();
    const secret = typeof entry === 'string' ? entry : '';
    const opened = await this.openCheckLogIn.open(secret, this.flowCookie.read(request));
    if (opened === null) return this.pages.checkGone(reply);
    this.flowCookie.remember(reply, opened.browserSecret);
    void reply.redirect(opened.authorizationUrl, 303);
  }
}
