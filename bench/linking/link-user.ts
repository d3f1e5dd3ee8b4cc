import { Agent, request } from 'undici';

/** A user of the run with a token of the identity provider. */
export interface LoadIdentity {
  /** Also the code and the account at the partner. */
  readonly sub: string;
  readonly token: string;
}

/** A user's link attempt, ms; `ended` is the time of its end by `performance.now()`. */
export interface LinkTry {
  readonly sub: string;
  readonly integrationId: string;
  /** From the request that starts the flow to the partner's address. */
  readonly startMs: number;
  /** From the partner's redirect to the page. */
  readonly callbackMs: number;
  readonly endedMs: number;
  /** Whether the page says that every part of the service knows the link. */
  readonly isReady: boolean;
}

let addresses = 0;

/** Connections from the next loopback address: the gateway limits the requests of one address. */
export function ownConnections(): Agent {
  addresses++;
  const localAddress = `127.1.${Math.floor(addresses / 250) % 250}.${(addresses % 250) + 1}`;
  return new Agent({ localAddress, headersTimeout: 60_000 });
}

/** Starts a flow, is redirected back by the partner at once, and waits for the page; with connections of its own. */
export async function tryLink(
  gatewayUrl: string,
  { sub, token }: LoadIdentity,
  integrationId: string,
): Promise<LinkTry> {
  const dispatcher = ownConnections();
  const beginMs = performance.now();
  const start = await request(`${gatewayUrl}/v1/me/links/${integrationId}/start`, {
    dispatcher,
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{}',
  });
  const answer = (await start.body.json()) as { authorization_url?: string };
  const startMs = performance.now() - beginMs;
  let isReady = false;
  if (answer.authorization_url !== undefined) {
    const back = redirectOf(answer.authorization_url, sub);
    const cookie = [start.headers['set-cookie'] ?? []].flat().map((line) => line.split(';')[0]);
    const page = await request(back, { dispatcher, headers: { cookie: cookie.join('; ') } });
    isReady = (await page.body.text()).includes('You are connected');
  }
  const endedMs = performance.now();
  void dispatcher.close();
  return { sub, integrationId, startMs, callbackMs: endedMs - beginMs - startMs, endedMs, isReady };
}

/** Where the partner sends the browser after a log-in. */
function redirectOf(authorizationUrl: string, code: string): URL {
  const { searchParams } = new URL(authorizationUrl);
  const back = new URL(searchParams.get('redirect_uri') ?? '');
  back.searchParams.set('code', code);
  back.searchParams.set('state', searchParams.get('state') ?? '');
  return back;
}
