import { Body, Controller, Get, Post, Query, Req, Res, UseGuards } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { CodedError } from '@podium/messages';
import type { FastifyReply as Reply, FastifyRequest as Request } from 'fastify';
import { FlowCookie } from '../browser/flow-cookie';
import { GatewayGuard } from '../browser/gateway.guard';
import { OwnOrigin } from '../browser/own-origin';
import { OpenTestLink } from '../test-links/open-test-link';
import { Pages } from './pages';

/**
 * The page that begins a test link of an operator; it says so, because its address may be passed on. The secret is not in the
 * path, because paths are logged.
 */
@ApiExcludeController()
@UseGuards(GatewayGuard)
@Controller('connect/test')
export class TestLinkController {
  constructor(
    private readonly openTestLink: OpenTestLink,
    private readonly ownOrigin: OwnOrigin,
    private readonly flowCookie: FlowCookie,
    private readonly pages: Pages,
  ) {}

  @Get()
  async show(@Query('entry') entry: unknown, @Res() reply: Reply): Promise<void> {
    const secret = textOf(entry);
    await this.orRefusal(reply, async () =>
      this.pages.confirmTest(reply, await this.openTestLink.partnerOf(secret), secret),
    );
  }

  @Post()
  async start(@Body('entry') entry: unknown, @Req() request: Request, @Res() reply: Reply): Promise<void> {
    await this.orRefusal(reply, async () => {
      this.ownOrigin.require(request);
      const started = await this.openTestLink.open(textOf(entry), this.flowCookie.read(request));
      this.flowCookie.remember(reply, started.browserSecret);
      this.pages.opening(reply, started.displayName, started.authorizationUrl);
    });
  }

  private async orRefusal(reply: Reply, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const code = error instanceof CodedError ? error.code : null;
      if (code === 'not_found') return this.pages.testGone(reply);
      if (code === 'origin_refused') return this.pages.foreign(reply);
      throw error;
    }
  }
}

function textOf(entry: unknown): string {
  return typeof entry === 'string' ? entry : '';
}
