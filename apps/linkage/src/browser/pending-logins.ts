import type { FastifyReply, FastifyRequest } from 'fastify';
import { BrowserCookies } from './browser-cookies';
import { loginLifetimeS } from './flow-lifetimes';
import { PendingLogin } from './identity-provider';
import { SealedCookies } from './sealed-cookies';

/** Most log-ins of a browser that are under way at once, so that the cookie stays small; a new one ends the oldest. */
const pendingMax = 4;

/** A log-in and when it began, Unix seconds. */
interface BegunLogin extends PendingLogin {
  readonly begunAtS: number;
}

/** Log-ins of a browser that are under way, one for each tab that began one, in a sealed cookie. */
export class PendingLogins {
  constructor(
    private readonly sealed: SealedCookies,
    private readonly cookies: BrowserCookies,
  ) {}

  /** Adds a log-in that begins. */
  async add(request: FastifyRequest, reply: FastifyReply, login: PendingLogin): Promise<void> {
    const begun = { ...login, begunAtS: nowS() };
    await this.write(reply, [begun, ...(await this.read(request))].slice(0, pendingMax));
  }

  /** The log-in with a state; null when there is none in this browser. */
  async find(request: FastifyRequest, state: string | null): Promise<PendingLogin | null> {
    return (await this.read(request)).find((login) => login.state === state) ?? null;
  }

  /** Removes a log-in that has succeeded; those of other tabs go on. */
  async end(request: FastifyRequest, reply: FastifyReply, state: string): Promise<void> {
    const others = (await this.read(request)).filter((login) => login.state !== state);
    if (others.length === 0) this.cookies.clear(reply, 'login');
    else await this.write(reply, others);
  }

  /** A log-in of the release before began when the cookie was sealed. */
  private async read(request: FastifyRequest): Promise<BegunLogin[]> {
    const claims = await this.sealed.open('login', this.cookies.read(request, 'login'));
    if (!claims) return [];
    const { earlier = [], ...newest } = claims as unknown as BegunLogin & { earlier?: BegunLogin[] };
    const sealedAtS = claims.iat ?? 0;
    return [newest, ...earlier]
      .map(({ state, nonce, codeVerifier, begunAtS = sealedAtS }) => ({ state, nonce, codeVerifier, begunAtS }))
      .filter(({ begunAtS }) => nowS() - begunAtS < loginLifetimeS);
  }

  /** The newest has the place that it had in the release before, which knows one log-in only. */
  private async write(reply: FastifyReply, [newest, ...earlier]: readonly BegunLogin[]): Promise<void> {
    const claims = { ...newest, ...(earlier.length === 0 ? {} : { earlier }) };
    this.cookies.set(reply, 'login', await this.sealed.seal('login', claims, loginLifetimeS), loginLifetimeS);
  }
}

function nowS(): number {
  return Math.floor(Date.now() / 1000);
}
