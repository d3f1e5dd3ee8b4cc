import type { FastifyReply, FastifyRequest } from 'fastify';
import { BrowserCookies } from './browser-cookies';

/** Longer than a flow, so that a browser keeps one secret over several. */
const lifetimeS = 3600;

/** The secret that binds linking flows to the browser that began them; one for all its tabs. */
export class FlowBrowser {
  constructor(private readonly cookies: BrowserCookies) {}

  /** The browser's secret when it is one of ours by its form. */
  read(request: FastifyRequest): string | null {
    const secret = this.cookies.read(request, 'browser');
    return secret !== undefined && /^[A-Za-z0-9_-]{43}$/.test(secret) ? secret : null;
  }

  remember(reply: FastifyReply, secret: string): void {
    this.cookies.set(reply, 'browser', secret, lifetimeS);
  }
}
