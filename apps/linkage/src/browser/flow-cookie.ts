import type { FastifyReply, FastifyRequest } from 'fastify';
import { BrowserCookies } from './browser-cookies';
import { flowCookieLifetimeS } from './flow-lifetimes';

/** The cookie whose secret binds linking flows to the browser that began them; all tabs share it. */
export class FlowCookie {
  constructor(private readonly cookies: BrowserCookies) {}

  /** The browser's secret if it has the right format. */
  read(request: FastifyRequest): string | null {
    const secret = this.cookies.read(request, 'browser');
    return secret !== undefined && /^[A-Za-z0-9_-]{43}$/.test(secret) ? secret : null;
  }

  remember(reply: FastifyReply, secret: string): void {
    this.cookies.set(reply, 'browser', secret, flowCookieLifetimeS);
  }
}
