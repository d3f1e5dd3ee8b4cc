import { IncomingHttpHeaders } from 'node:http';
import { LoopbackServer } from '@podium/simulated-partner';

/** A request to the hostile partner, all of it. */
export interface CaughtRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** What it answers: a page, a redirect, or JSON. */
export interface HostileAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A partner whose server does what a spec says, and which keeps everything that it receives. */
export class HostilePartner {
  readonly clientId = 'podium-at-hostile';
  readonly clientSecret = 'canary-hostile-secret';
  readonly caught: CaughtRequest[] = [];
  /** The answer of its authorization page, and of its other pages by path. */
  pages: Record<string, (url: URL) => HostileAnswer> = {};
  private readonly server = new LoopbackServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      this.caught.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
      const address = new URL(url, this.baseUrl);
      const page = this.pages[address.pathname];
      const { status = 200, headers: own = {}, body = '' } = page ? page(address) : tokenOrNothing(address.pathname);
      response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...own }).end(body);
    });
  });

  start(): Promise<void> {
    return this.server.start();
  }

  stop(): Promise<void> {
    return this.server.stop();
  }

  get host(): string {
    return this.server.host;
  }

  get baseUrl(): string {
    return `http://${this.host}`;
  }

  /** Everything that it received, as text. */
  everything(): string {
    return JSON.stringify(this.caught);
  }
}

/** It takes every code for a user of its own. */
function tokenOrNothing(path: string): HostileAnswer {
  if (path === '/oauth2/token') return json({ access_token: 'hostile-at', refresh_token: 'hostile-rt' });
  return path === '/oauth2/userinfo' ? json({ sub: 'hostile-sub', nickname: 'Hostile' }) : { status: 404 };
}

function json(body: object): HostileAnswer {
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}
