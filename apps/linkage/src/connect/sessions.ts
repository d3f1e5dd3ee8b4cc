import { randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { BrowserCookies } from './browser-cookies';
import { SealedCookies } from './sealed-cookies';

/** A user logged in at /connect. */
export interface Session {
  readonly sessionId: string;
  readonly userId: string;
  /** What to call the user; null when the identity provider does not say. */
  readonly name: string | null;
}

const lifetimeS = 8 * 3600;

/** Sessions of /connect, each in a sealed cookie; nothing of them is kept here. */
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

  /** Begins a session with a new id, whatever the browser brought: an id planted before the log-in is worth nothing. */
  async begin(reply: FastifyReply, user: { userId: string; name: string | null }): Promise<void> {
    const claims = { sub: user.userId, sid: randomUUID(), ...(user.name === null ? {} : { name: user.name }) };
    this.cookies.set(reply, 'session', await this.sealed.seal('session', claims, lifetimeS), lifetimeS);
  }

  end(reply: FastifyReply): void {
    this.cookies.clear(reply, 'session');
  }
}
