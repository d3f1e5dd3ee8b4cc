import { call, until } from './api';

/** A user's link as `/v1/me/links/{integration_id}` returns it. */
interface LinkReply {
  link: { state: string; nickname: string } | null;
}

const timeoutMs = 20_000;

/** A user of an integration. */
interface LinkOwner {
  readonly gatewayUrl: string;
  readonly userToken: string;
  readonly integrationId: string;
}

/** Links a user, unless linked, to an account at a sandbox partner. */
export async function linkUser(options: LinkOwner & { readonly account: string }): Promise<void> {
  const { link } = await call<LinkReply>('GET', pathOf(options), { token: options.userToken });
  if (link?.state !== 'ready') await logIn(options);
}

/** Repeats the log-in of a linked user with the account that is linked; no effect on a user who is not. */
export async function repeatLogIn(options: LinkOwner): Promise<void> {
  const account = await linkedNickname(options);
  if (account !== undefined) await logIn({ ...options, account });
}

/** The nickname of the account that a user has linked; undefined for a user who is not linked. */
export async function linkedNickname(owner: LinkOwner): Promise<string | undefined> {
  const { link } = await call<LinkReply>('GET', pathOf(owner), { token: owner.userToken });
  return link && link.state !== 'unlinked' ? link.nickname : undefined;
}

function pathOf({ gatewayUrl, integrationId }: LinkOwner): string {
  return `${gatewayUrl}/v1/me/links/${integrationId}`;
}

/** Makes the requests that `/connect` makes, without a browser. */
async function logIn(options: LinkOwner & { readonly account: string }): Promise<void> {
  const { userToken, account } = options;
  const path = pathOf(options);

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
