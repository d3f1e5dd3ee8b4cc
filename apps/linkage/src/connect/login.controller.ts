import { Controller, Get, Post, Req, Res, UseGuards } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { BrowserCookies } from './browser-cookies';
import { GatewayGuard } from './gateway.guard';
import { IdentityProvider, PendingLogin, isProviderAway } from './identity-provider';
import { LoginLog } from './login-log';
import { OwnPages } from './own-pages';
import { Pages } from './pages';
import { SealedCookies } from './sealed-cookies';
import { Sessions } from './sessions';
import { texts } from './texts';

/** How long a user may take at the identity provider. */
const pendingS = 600;

/** Log-in and log-out of /connect. */
@ApiExcludeController()
@UseGuards(GatewayGuard)
@Controller('connect')
export class LoginController {
  constructor(
    private readonly identityProvider: IdentityProvider,
    private readonly sealed: SealedCookies,
    private readonly cookies: BrowserCookies,
    private readonly sessions: Sessions,
    private readonly ownPages: OwnPages,
    private readonly pages: Pages,
    private readonly log: LoginLog,
  ) {}

  @Get('login')
  async login(@Res() reply: FastifyReply): Promise<void> {
    try {
      const { url, pending } = await this.identityProvider.begin();
      this.cookies.set(reply, 'login', await this.sealed.seal('login', { ...pending }, pendingS), pendingS);
      void reply.header('cache-control', 'no-store').redirect(url, 303);
    } catch (error) {
      this.log.failed(error);
      this.pages.message(reply, 503, texts.loginFailedTitle, texts.loginUnavailable);
    }
  }

  @Get('callback')
  async callback(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const claims = await this.sealed.open('login', this.cookies.read(request, 'login'));
    try {
      if (!claims) throw new Error('there is no log-in under way in this browser');
      const { search } = new URL(request.url, this.ownPages.origin);
      const user = await this.identityProvider.finish(search, claims as unknown as PendingLogin);
      this.cookies.clear(reply, 'login');
      await this.sessions.begin(reply, user);
      void reply.header('cache-control', 'no-store').redirect('/connect', 303);
    } catch (error) {
      this.log.failed(error);
      if (isProviderAway(error)) this.pages.message(reply, 503, texts.loginFailedTitle, texts.loginUnavailable);
      else this.pages.message(reply, 400, texts.loginFailedTitle, texts.loginFailed);
    }
  }

  @Post('logout')
  logout(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    this.ownPages.require(request);
    this.sessions.end(reply);
    void reply.header('cache-control', 'no-store').redirect('/connect', 303);
  }
}
