import type { IncomingMessage } from 'node:http';
import { pageHeaders } from '../docs/page-headers';
import { isApiTarget } from '../routes/route-table';

/** An error page for a browser. */
export interface ErrorPage {
  readonly body: Buffer;
  /** Names and values of its headers, in addition to those of the status. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Whether an error goes to a person: a browser asks for a page, at a path that is no API. */
export function asksForPage(request: Pick<IncomingMessage, 'headers' | 'url'>): boolean {
  const { accept } = request.headers;
  return accept !== undefined && /\btext\/html\b/i.test(accept) && !isApiTarget(request.url ?? '');
}

interface PageText {
  readonly title: string;
  /** What happened. */
  readonly happened: string;
  /** What the user can do. */
  readonly remedy: string;
}

const startPage = 'Go to the <a href="/">start page</a>.';

const texts: Readonly<Record<number, PageText>> = {
  404: {
    title: 'Page not found',
    happened: 'There is no page at this address.',
    remedy: `Check the address for typing errors. ${startPage}`,
  },
  405: {
    title: 'Method not allowed',
    happened: 'This address does not accept this kind of request.',
    remedy: startPage,
  },
  429: {
    title: 'Too many requests',
    happened: 'More requests came from your network than this service accepts at once.',
    remedy: 'Wait {wait}, then reload this page.',
  },
  500: {
    title: 'Something went wrong',
    happened: 'The service could not complete your request. This is our fault, not yours.',
    remedy: 'Try again in a moment. If the problem persists, quote the request id below.',
  },
  503: {
    title: 'Service unavailable',
    happened: 'The service cannot handle your request right now.',
    remedy: 'Wait {wait}, then reload this page. If the problem persists, quote the request id below.',
  },
};

const clientError: PageText = {
  title: 'Request not accepted',
  happened: 'The service could not accept this request.',
  remedy: `Go back and try again. ${startPage}`,
};

/** The page of a status: what happened, what to do, and the request's id. The id is one that the gateway has checked. */
export function errorPage(error: { status: number; retryAfterS?: number }, requestId: string): ErrorPage {
  const { status, retryAfterS } = error;
  const { title, happened, remedy } = texts[status] ?? (status >= 500 ? texts[500] : clientError);
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Podium</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/assets/style.css">
</head>
<body>
<header><a class="home" href="/">Podium</a></header>
<main>
<h1>${title}</h1>
<p>${happened}</p>
<p>${remedy.replace('{wait}', waitOf(retryAfterS))}</p>
<p class="fine">Status ${status} · Request id <code>${requestId}</code></p>
</main>
</body>
</html>
`;
  return {
    body: Buffer.from(html),
    headers: { ...pageHeaders('text/html; charset=utf-8'), vary: 'accept' },
  };
}

function waitOf(seconds: number | undefined): string {
  if (seconds === undefined) return 'a moment';
  return seconds === 1 ? '1 second' : `${seconds} seconds`;
}
