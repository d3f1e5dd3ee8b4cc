interface Page {
  readonly etag: string | null;
  readonly body: { readonly items: readonly unknown[] };
}
const pages = new Map<string, Page>(); // keep this between runs

/** Reads every page of a list; pages that have not changed are taken from the cache. */
async function* readAll(first: string): AsyncGenerator<unknown> {
  let next: string | undefined = first;
  while (next) {
    const known = pages.get(next);
    const response: Response = await fetch(next, {
      headers: {
        authorization: `Bearer ${process.env.PODIUM_DATA_KEY}`,
        ...(known?.etag ? { 'if-none-match': known.etag } : {}),
      },
    });
    if (response.status === 429 || response.status === 503) {
      await new Promise((resolve) => setTimeout(resolve, waitMs(response.headers.get('retry-after') ?? '1')));
      continue;
    }
    console.log(response.status, next);
    if (response.status !== 304 && !response.ok) throw new Error(`${response.status} ${await response.text()}`);
    const page = response.status === 304 && known ? known : await pageOf(response);
    pages.set(next, page);
    yield* page.body.items;
    next = nextOf(response); // also at 304: a page that has not changed may have got a next one
  }
}

/** Retry-After has seconds or, of a proxy, a date (RFC 9110): at least a second, at most a day. */
function waitMs(retryAfter: string): number {
  const ms = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - Date.now();
  return Math.min(Math.max(ms || 0, 1000), 86_400_000);
}

async function pageOf(response: Response): Promise<Page> {
  return { etag: response.headers.get('etag'), body: (await response.json()) as Page['body'] };
}

function nextOf(response: Response): string | undefined {
  const link = response.headers.get('link')?.match(/<([^>]+)>; ?rel="next"/)?.[1];
  return link && new URL(link, response.url).href; // the address is relative to the host
}

for (let run = 1; run <= 2; run++)
  for await (const item of readAll('https://address.podium.invalid/data/v4/games?limit=2')) console.log(item);

export {};
