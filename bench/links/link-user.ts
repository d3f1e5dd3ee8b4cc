import { Agent, request } from 'undici';

/** A user with its own connections and its own address: the gateway limits the requests of one address. */
export interface LoadUser {
  readonly token: string;
  readonly agent: Agent;
}

/** The result of one link attempt; the time is that of the callback, from the partner's redirect to the page. */
export interface LinkTry {
  readonly ms: number;
  readonly connected: boolean;
}

let addresses = 0;

/** Creates a user whose connections come from the next loopback address. */
export function loadUser(token: string): LoadUser {
  addresses++;
  const localAddress = `127.1.${Math.floor(addresses / 250)}.${(addresses % 250) + 1}`;
  return { token, agent: new Agent({ localAddress, headersTimeout: 60_000 }) };
}

/** Starts a flow, is redirected back by the partner at once, and waits for the page. */
export async function tryLink(
  { token, agent }: LoadUser,
  link: { gatewayUrl: string; integrationId: string; sub: string },
): Promise<LinkTry> {
  const start = await request(`${link.gatewayUrl}/v1/me/links/${link.integrationId}/start`, {
    dispatcher: agent,
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{}',
  });
  if (start.statusCode !== 200) {
    await start.body.dump();
    return { ms: 0, connected: false };
  }
  const { authorization_url } = (await start.body.json()) as { authorization_url: string };
  const { searchParams } = new URL(authorization_url);
  const back = new URL(searchParams.get('redirect_uri') ?? '');
  back.searchParams.set('code', link.sub);
  back.searchParams.set('state', searchParams.get('state') ?? '');
  const cookie = [start.headers['set-cookie'] ?? []].flat().map((line) => line.split(';')[0]);
  const startedMs = performance.now();
  const page = await request(back, { dispatcher: agent, headers: { cookie: cookie.join('; ') } });
  const text = await page.body.text();
  return { ms: performance.now() - startedMs, connected: text.includes('You are connected') };
}
