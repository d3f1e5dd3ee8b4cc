import { CheckBrowser, LogIn, LogInReturn } from '../src';

/** Finishes each log-in by requests alone: opens the page, sends its forms, and follows redirects to the redirect URL. */
export class ScriptedBrowser implements CheckBrowser {
  readonly logIns: LogIn[] = [];
  private readonly cookies = new Map<string, string>();

  constructor(
    private readonly redirectUri: string,
    /** Values for the fields of forms that have none. */
    private readonly fill: Readonly<Record<string, string>> = { name: 'ada' },
  ) {}

  async logIn(logIn: LogIn): Promise<LogInReturn> {
    this.logIns.push(logIn);
    const query = await this.returnFrom(logIn.url);
    return query === null ? { returned: false } : { returned: true, query };
  }

  /** The query of the redirect to the redirect URL; null when the pages do not lead there. */
  async returnFrom(start: string): Promise<string | null> {
    let next: { url: string; form?: URLSearchParams } | null = { url: start };
    for (let step = 0; step < 20 && next !== null; step++) {
      if (next.url.startsWith(this.redirectUri)) return new URL(next.url).search;
      next = await this.follow(next.url, next.form);
    }
    return null;
  }

  private async follow(url: string, form?: URLSearchParams): Promise<{ url: string; form?: URLSearchParams } | null> {
    const response = await fetch(url, {
      method: form ? 'POST' : 'GET',
      body: form,
      redirect: 'manual',
      headers: { cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      this.cookies.set(name, value);
    }
    const location = response.headers.get('location');
    const page = await response.text();
    if (location !== null) return { url: new URL(location, url).href };
    const [, attributes, fields] = /<form([^>]*)>([^]*?)<\/form>/.exec(page) ?? [];
    if (attributes === undefined) return null;
    const action = /action="([^"]*)"/.exec(attributes)?.[1].replaceAll('&amp;', '&');
    return { url: new URL(action ?? url, url).href, form: this.filled(fields) };
  }

  private filled(fields: string): URLSearchParams {
    const filled = new URLSearchParams();
    for (const [input] of fields.matchAll(/<(?:input|button)[^>]*>/g)) {
      const name = /name="([^"]*)"/.exec(input)?.[1];
      const value = /value="([^"]*)"/.exec(input)?.[1].replaceAll('&amp;', '&').replaceAll('&quot;', '"');
      if (name !== undefined && !filled.has(name)) filled.set(name, value || (this.fill[name] ?? 'ada'));
    }
    return filled;
  }
}
