import { SealedCookies } from '../src/browser/sealed-cookies';
import { fixed } from '@podium/runtime/config';
import { RunningLinkage } from './running-linkage';
import { sessionKey } from './spec-keys';

/** A response of linkage as a browser gets it. */
export interface BrowserAnswer {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
  readonly json: () => Record<string, unknown>;
}

const origin = 'https://test.podium.example';

/** A browser with its cookies that sends requests to linkage with the gateway's headers. */
export class LinkBrowser {
  private readonly cookies = new Map<string, string>();

  private constructor(
    private readonly linkage: RunningLinkage,
    readonly userId: string,
  ) {}

  /** A browser in which the user is logged in at /connect; without a user no one is logged in. */
  static async of(linkage: RunningLinkage, userId?: string): Promise<LinkBrowser> {
    const browser = new LinkBrowser(linkage, userId ?? '');
    if (userId !== undefined) await browser.logIn(userId);
    return browser;
  }

  async logIn(userId: string, sessionId = `session-of-${userId}`): Promise<void> {
    const sealed = new SealedCookies(fixed([{ id: 's1', key: sessionKey }]));
    const session = await sealed.seal('session', { sub: userId, sid: sessionId, name: userId }, 600);
    this.cookies.set('__Host-podium_session', session);
  }

  logOut(): void {
    this.cookies.delete('__Host-podium_session');
  }

  /** `signal` closes the page. */
  get(path: string, headers: Record<string, string> = {}, signal?: AbortSignal): Promise<BrowserAnswer> {
    return this.send('GET', path, headers, undefined, signal);
  }

  /** A change from linkage's own page, unless other headers are given. */
  change(
    method: 'POST' | 'DELETE',
    path: string,
    headers: Record<string, string> = { origin },
  ): Promise<BrowserAnswer> {
    return this.send(method, path, headers);
  }

  /** Confirms a test link, as the form of its page; returns the answer. */
  confirmTest(path: string, headers: Record<string, string> = { origin }): Promise<BrowserAnswer> {
    const form = new URL(path, origin).searchParams;
    return this.send(
      'POST',
      '/connect/test',
      {
        ...headers,
        ...{ 'content-type': 'application/x-www-form-urlencoded' },
      },
      form.toString(),
    );
  }

  /** Opens the address of a check's log-in; returns the partner's URL to which it leads. */
  async openCheck(address: string): Promise<URL> {
    const { pathname, search } = new URL(address);
    const answer = await this.get(pathname + search);
    if (answer.status !== 303) throw new Error(`log-in of a check: ${answer.status} ${answer.text}`);
    return new URL(answer.headers.get('location') ?? '');
  }

  /** Begins a flow and returns the partner's address. */
  async begin(integrationId: string): Promise<URL> {
    const answer = await this.change('POST', `/v1/me/links/${integrationId}/start`);
    if (answer.status !== 200) throw new Error(`start: ${answer.status} ${answer.text}`);
    return new URL(answer.json().authorization_url as string);
  }

  /** Logs in at the partner and returns the path it sends the browser back to. */
  async atPartner(authorizationUrl: URL, sub: string): Promise<string> {
    const url = new URL(authorizationUrl);
    url.searchParams.set('login', sub);
    const answer = await fetch(url, { redirect: 'manual' });
    const back = new URL(answer.headers.get('location') ?? '');
    return back.pathname + back.search;
  }

  /** The whole flow: start, log in at the partner, return to the callback. */
  async link(integrationId: string, sub: string): Promise<BrowserAnswer> {
    return this.get(await this.atPartner(await this.begin(integrationId), sub));
  }

  async send(
    method: string,
    path: string,
    headers: Record<string, string> = {},
    body?: string,
    signal?: AbortSignal,
  ): Promise<BrowserAnswer> {
    const response = await fetch(`${this.linkage.url}${path}`, {
      method,
      body,
      signal,
      redirect: 'manual',
      headers: {
        'x-podium-internal-token': this.linkage.internalToken,
        cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...headers,
      },
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      this.cookies.set(name, value);
    }
    const text = await response.text();
    // The cause of a 500 is only in the log, so the failing spec shows it.
    if (response.status === 500)
      throw new Error(`500 at ${path}: ${this.linkage.logged.findLast((line) => line.includes('"err"'))}`);
    const json = (): Record<string, unknown> => JSON.parse(text) as Record<string, unknown>;
    return { status: response.status, text, headers: response.headers, json };
  }
}
