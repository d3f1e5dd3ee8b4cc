import { randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { BrowserCookies } from './browser-cookies';
import { SealedCookies } from './sealed-cookies';

/** How long a session of /connect lasts, seconds. */
const sessionLifetimeS = 8 * 3600;

/** A user logged in at /connect. */
export interface Session {
  readonly sessionId: string;
  readonly userId: string;
  /** The user's display name; null when the identity provider sends none. */
  readonly name: string | null;
}

/** Sessions of /connect, each in a sealed cookie; the service stores no session. */
export class Sessions {
  constructor(
    private readonly sealed: SealedCookies,
    private readonly cookies: BrowserCookies,
  ) {}

  /** The request's session, or null. */
  async read(request: FastifyRequest): Promise<Session | null> {
    const claims = await this.sealed.open('session', this.cookies.read(request, 'session'));
    if (typeof claims?.sub !== 'string' || typeof claims.sid !== 'string') return null;
    return { sessionId: claims.sid, userId: claims.sub, name: typeof claims.name === 'string' ? claims.name : null };
  }

  /**
   * Begins a session. It has a new id unless the request has a session of the same user: flows of other tabs are bound to that one,
   * and go on. The id of another user, planted before the log-in, is useless (session fixation).
   */
  async begin(
    request: FastifyRequest,
    reply: FastifyReply,
    user: { userId: string; name: string | null },
  ): Promise<void> {
    const former = await this.read(request);
    const sid = former?.userId === user.userId ? former.sessionId : randomUUID();
    const claims = { sub: user.userId, sid, ...(user.name === null ? {} : { name: user.name }) };
    this.cookies.set(reply, 'session', await this.sealed.seal('session', claims, sessionLifetimeS), sessionLifetimeS);
  }

  end(reply: FastifyReply): void {
    this.cookies.clear(reply, 'session');
  }
}
