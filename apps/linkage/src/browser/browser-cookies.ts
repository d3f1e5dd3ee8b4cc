import type { FastifyReply, FastifyRequest } from 'fastify';

/** Names of the cookies that this service sets. */
export type CookieName = 'session' | 'login' | 'browser';

/**
 * Reads and sets this service's cookies: HttpOnly, SameSite=Lax, for the whole host. Over https they are Secure and have
 * the prefix `__Host-`, so that no other host or path can set them.
 */
export class BrowserCookies {
  private readonly secure: boolean;

  constructor(publicUrl: string) {
    this.secure = publicUrl.startsWith('https:');
  }

  read(request: FastifyRequest, name: CookieName): string | undefined {
    const wanted = `${this.nameOf(name)}=`;
    for (const pair of (request.headers.cookie ?? '').split(';'))
      if (pair.trim().startsWith(wanted)) return pair.trim().slice(wanted.length);
    return undefined;
  }

  /** Sets a value that needs no escaping (base64url and dots). */
  set(reply: FastifyReply, name: CookieName, value: string, lifetimeS: number): void {
    const attributes = [
      'Path=/',
      'HttpOnly',
      'SameSite=Lax',
      `Max-Age=${lifetimeS}`,
      ...(this.secure ? ['Secure'] : []),
    ];
    void reply.header('set-cookie', [`${this.nameOf(name)}=${value}`, ...attributes].join('; '));
  }

  clear(reply: FastifyReply, name: CookieName): void {
    this.set(reply, name, '', 0);
  }

  private nameOf(name: CookieName): string {
    return `${this.secure ? '__Host-' : ''}podium_${name}`;
  }
}
