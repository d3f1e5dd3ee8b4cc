import { Server, createServer } from 'node:http';
import { CheckBrowser, LogIn, LogInReturn } from '@podium/partner-check';
import { Terminal, UsageError } from './terminal';

/** Whether a redirect URL leads to this machine over plain http, where the command can listen itself. */
export function isLoopback(redirectUrl: string): boolean {
  const { protocol, hostname } = new URL(redirectUrl);
  return protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}

/** Prints the address to open, and receives the redirect on this machine (RFC 8252, 7.3). */
export class LoopbackBrowser implements CheckBrowser {
  private receive: ((query: string) => void) | null = null;
  private readonly usedStates = new Set<string>();

  private constructor(
    private readonly server: Server,
    private readonly waitMs: number,
    private readonly terminal: Terminal,
  ) {}

  /** Listens at the redirect URL; rejects with `UsageError` when its port is taken. */
  static async listen(redirectUrl: string, waitMs: number, terminal: Terminal): Promise<LoopbackBrowser> {
    const { hostname, port, pathname } = new URL(redirectUrl);
    const server = createServer((request, response) => {
      const url = requestedUrl(request.url, redirectUrl);
      const isRedirect = request.method === 'GET' && url?.pathname === pathname;
      if (isRedirect) browser.returned(url.searchParams);
      response.writeHead(url === null ? 400 : isRedirect ? 200 : 404, {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': "default-src 'none'",
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        connection: 'close',
      });
      response.end(isRedirect ? page : '');
    });
    const browser = new LoopbackBrowser(server, waitMs, terminal);
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error) =>
        reject(new UsageError(`${redirectUrl} cannot be opened here: ${error.message}. Choose another port.`)),
      );
      server.listen(Number(port || 80), hostname.replace(/^\[|\]$/g, ''), resolve);
    });
    return browser;
  }

  async logIn({ number, purpose, url, state }: LogIn): Promise<LogInReturn> {
    let timer: NodeJS.Timeout | undefined;
    const back = new Promise<LogInReturn>((resolve) => {
      this.receive = (query) => resolve({ returned: true, query });
      timer = setTimeout(() => resolve({ returned: false }), this.waitMs);
    });
    this.terminal.out(`\nLog-in ${number}: ${purpose}. Open this address in your browser:\n  ${url}\n`);
    const result = await back;
    clearTimeout(timer);
    this.receive = null;
    this.usedStates.add(state);
    return result;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** A reloaded page of an earlier log-in is not the return of this one. */
  private returned(query: URLSearchParams): void {
    if (!this.usedStates.has(query.get('state') ?? '')) this.receive?.(query.toString());
  }
}

/** The target of a request; null when it is none, such as `//`, which any page in a browser can send. */
function requestedUrl(target: string | undefined, base: string): URL | null {
  try {
    return new URL(target ?? '/', base);
  } catch {
    return null;
  }
}

const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>podium-partner link-check</title>
<h1>The redirect has arrived</h1><p>Close this window and go back to the terminal.</p></html>`;
