import { Controller, Get, Post, Req, Res, UseGuards } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { BrowserCookies } from '../browser/browser-cookies';
import { loginLifetimeS } from '../browser/flow-lifetimes';
import { GatewayGuard } from '../browser/gateway.guard';
import { IdentityProvider, PendingLogin, isProviderUnavailable } from '../browser/identity-provider';
import { LoginLog } from '../browser/login-log';
import { OwnOrigin } from '../browser/own-origin';
import { Pages } from './pages';
import { SealedCookies } from '../browser/sealed-cookies';
import { Sessions } from '../browser/sessions';

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
    private readonly ownOrigin: OwnOrigin,
    private readonly pages: Pages,
    private readonly log: LoginLog,
  ) {}

  @Get('login')
  async login(@Res() reply: FastifyReply): Promise<void> {
    try {
      const { url, pending } = await this.identityProvider.begin();
      this.cookies.set(reply, 'login', await this.sealed.seal('login', { ...pending }, loginLifetimeS), loginLifetimeS);
      void reply.header('cache-control', 'no-store').redirect(url, 303);
    } catch (error) {
      this.log.failed(error);
      this.pages.loginFailed(reply, 'unavailable');
    }
  }

  @Get('callback')
  async callback(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const claims = await this.sealed.open('login', this.cookies.read(request, 'login'));
    try {
      if (!claims) throw new Error('no log-in is in progress in this browser');
      const { search } = new URL(request.url, this.ownOrigin.origin);
      const user = await this.identityProvider.finish(search, claims as unknown as PendingLogin);
      this.cookies.clear(reply, 'login');
      await this.sessions.begin(reply, user);
      void reply.header('cache-control', 'no-store').redirect('/connect', 303);
    } catch (error) {
      this.log.failed(error);
      this.pages.loginFailed(reply, isProviderUnavailable(error) ? 'unavailable' : 'invalid');
    }
  }

  @Post('logout')
  logout(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    this.ownOrigin.require(request);
    this.sessions.end(reply);
    void reply.header('cache-control', 'no-store').redirect('/connect', 303);
  }
}
