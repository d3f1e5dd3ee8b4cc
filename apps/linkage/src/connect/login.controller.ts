import { Controller, Get, HttpCode, Post, Req, Res, UseGuards } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { GatewayGuard } from '../browser/gateway.guard';
import { IdentityProvider, isProviderUnavailable } from '../browser/identity-provider';
import { LoginLog } from '../browser/login-log';
import { OwnOrigin } from '../browser/own-origin';
import { Pages } from './pages';
import { PendingLogins } from '../browser/pending-logins';
import { Sessions } from '../browser/sessions';

/** Log-in and log-out of /connect. */
@ApiExcludeController()
@UseGuards(GatewayGuard)
@Controller('connect')
export class LoginController {
  constructor(
    private readonly identityProvider: IdentityProvider,
    private readonly pendingLogins: PendingLogins,
    private readonly sessions: Sessions,
    private readonly ownOrigin: OwnOrigin,
    private readonly pages: Pages,
    private readonly log: LoginLog,
  ) {}

  @Get('login')
  async login(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    try {
      const { url, pending } = await this.identityProvider.begin();
      await this.pendingLogins.add(request, reply, pending);
      void reply.header('cache-control', 'no-store').redirect(url, 303);
    } catch (error) {
      this.log.failed(error);
      this.pages.loginFailed(reply, 'unavailable');
    }
  }

  @Get('callback')
  async callback(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { search, searchParams } = new URL(request.url, this.ownOrigin.origin);
    const pending = await this.pendingLogins.find(request, searchParams.get('state'));
    // The address was reloaded, or comes from the history: its log-in has ended, and the session of this browser is untouched.
    if (!pending && (await this.sessions.read(request))) return this.toAccounts(reply);
    try {
      if (!pending) throw new Error('no such log-in is in progress in this browser');
      const user = await this.identityProvider.finish(search, pending);
      await this.pendingLogins.end(request, reply, pending.state);
      await this.sessions.begin(request, reply, user);
      this.toAccounts(reply);
    } catch (error) {
      this.log.failed(error);
      this.pages.loginFailed(reply, isProviderUnavailable(error) ? 'unavailable' : 'invalid');
    }
  }

  /**
   * Ends the session here and, with OIDC_LOG_OUT, then that at the identity provider: otherwise the next log-in in this browser asks
   * for no password.
   */
  @Post('logout')
  @HttpCode(200)
  async logout(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    this.ownOrigin.require(request);
    this.sessions.end(reply);
    const url = await this.logOutUrl();
    if (url === null) this.toAccounts(reply);
    else this.pages.loggingOut(reply, url);
  }

  /** Null also if the provider was never reached, which must not keep the session here. */
  private async logOutUrl(): Promise<string | null> {
    try {
      return await this.identityProvider.logOutUrl();
    } catch (error) {
      this.log.logOutFailed(error);
      return null;
    }
  }

  private toAccounts(reply: FastifyReply): void {
    void reply.header('cache-control', 'no-store').redirect('/connect', 303);
  }
}
