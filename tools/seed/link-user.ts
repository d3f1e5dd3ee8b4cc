import { call, until } from './api';

/** A user's link as `/v1/me/links/{integration_id}` returns it. */
interface LinkReply {
  link: { state: string; nickname: string } | null;
}

const timeoutMs = 20_000;

/** Links a user to an account at a sandbox partner without a browser: makes the requests that `/connect` makes. */
export async function linkUser(options: {
  gatewayUrl: string;
  userToken: string;
  integrationId: string;
  account: string;
}): Promise<void> {
  const { gatewayUrl, userToken, integrationId, account } = options;
  const path = `${gatewayUrl}/v1/me/links/${integrationId}`;

  const { link: known } = await call<LinkReply>('GET', path, { token: userToken });
  if (known?.state === 'ready') return;

  const start = await fetch(`${path}/start`, {
    method: 'POST',
    headers: { authorization: `Bearer ${userToken}`, 'content-type': 'application/json' },
    body: '{}',
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (!start.ok) throw new Error(`POST ${path}/start answered ${start.status}: ${await start.text()}`);
  const cookie = start.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  const { authorization_url } = (await start.json()) as { authorization_url: string };

  const logIn = await fetch(authorization_url, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ account, action: 'allow' }),
    signal: AbortSignal.timeout(timeoutMs),
  });
  const back = logIn.headers.get('location');
  if (!back) throw new Error(`the sandbox partner did not redirect: ${logIn.status} ${await logIn.text()}`);

  const callback = await fetch(back, {
    redirect: 'manual',
    headers: { cookie, authorization: `Bearer ${userToken}` },
    signal: AbortSignal.timeout(timeoutMs),
  });
  await callback.text();
  await until('the link becoming ready', timeoutMs, async () => {
    const { link } = await call<LinkReply>('GET', path, { token: userToken });
    return link?.state === 'ready' ? link : undefined;
  });
}
