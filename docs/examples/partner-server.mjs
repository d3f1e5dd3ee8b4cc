// A partner's server (docs/partner-server.md): account linkage and events. Any name logs in; it keeps nothing at its end.
import { createHash, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';

const { PORT, PLATFORM, CLIENT_ID, CLIENT_SECRET, REDIRECT_URL, SEND_EVENT_URL, EVENT_API_KEY } = process.env;
const basic = `Basic ${Buffer.from(`${CLIENT_ID}:${CLIENT_SECRET}`).toString('base64')}`;
const grants = new Map(); // users by `code …`, `access_token …` and `refresh_token …`
const logIn = '<h1>My Shop</h1><form method="post"><input name="name" aria-label="Name"><button>Log in</button></form>';

const routes = {
  'GET /authorize': ({ query }) => {
    const isOurs = query.get('client_id') === CLIENT_ID && query.get('redirect_uri') === REDIRECT_URL;
    return isOurs ? [200, logIn, { 'content-type': 'text/html' }] : [400, { error: 'unknown_client' }];
  },
  'POST /authorize': ({ query, form }) => {
    const code = randomUUID();
    const user = { sub: `user-${form.get('name')}`, nickname: form.get('name') };
    grants.set(`code ${code}`, { user, challenge: query.get('code_challenge') });
    return [303, '', { location: `${REDIRECT_URL}?${new URLSearchParams({ code, state: query.get('state') })}` }];
  },
  'POST /oauth2/token': ({ headers, form }) => {
    if (headers.authorization !== basic) return [401, { error: 'invalid_client' }];
    const kind = form.get('grant_type') === 'refresh_token' ? 'refresh_token' : 'code';
    const grant = grants.get(`${kind} ${form.get(kind)}`);
    const isOurs = kind === 'refresh_token' || form.get('redirect_uri') === REDIRECT_URL;
    if (!grant || !isOurs || (grant.challenge && grant.challenge !== sha256(form.get('code_verifier') ?? '')))
      return [400, { error: 'invalid_grant' }];
    grants.delete(`${kind} ${form.get(kind)}`); // codes and refresh tokens are used once
    const tokens = { access_token: randomUUID(), refresh_token: randomUUID() };
    for (const [name, token] of Object.entries(tokens)) grants.set(`${name} ${token}`, { user: grant.user });
    return [200, { ...tokens, token_type: 'Bearer', expires_in: 3600 }];
  },
  'GET /oauth2/userinfo': ({ headers }) => {
    const user = grants.get(headers.authorization?.replace('Bearer ', 'access_token '))?.user;
    // What was true before the link is sent right after it; Podium needs a moment to make the link.
    if (user) setTimeout(() => sendEvent(user.sub, 'registration', {}, `registration-${user.sub}`), 2_000);
    return user ? [200, user] : [401, { error: 'invalid_token' }];
  },
  // For trying, not for Podium: a user of the shop makes a deposit.
  'POST /deposit': ({ form }) => sendEvent(form.get('sub'), 'deposit', { amount: form.get('amount') }),
};

const sha256 = (text) => createHash('sha256').update(text).digest('base64url');
/** The ms that Retry-After asks for, in seconds or as a date: at most a day, 0 without one. */
const msOf = (after) => Math.min(864e5, (/^\d+$/.test(after) ? after * 1e3 : Date.parse(after) - Date.now()) || 0);

/** Sends an event, always with the same id and never sooner than it is asked to, until Podium has it. */
async function sendEvent(sub, name, values, id = randomUUID()) {
  const attributes = Object.entries(values).map(([name, value]) => ({ name, value }));
  const event = { id, name, created_at: Math.floor(Date.now() / 1000), attributes };
  const body = JSON.stringify({ platform: PLATFORM, platform_user_id: sub, event });
  const headers = { authorization: `Bearer ${EVENT_API_KEY}`, 'content-type': 'application/json' };
  for (let tries = 0; ; tries++) {
    const answer = await fetch(SEND_EVENT_URL, { method: 'POST', headers, body }).catch(() => undefined);
    const text = await answer?.text().catch(() => 'broken off');
    console.log(`${name} of ${sub}: ${answer ? `${answer.status} ${text}` : 'no answer'}`);
    if (answer?.ok) return [200, { sent: id }];
    const waitMs = Math.max(1_000 * 2 ** Math.min(tries, 8), msOf(answer?.headers.get('retry-after')));
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}

async function handle(request, response) {
  const form = new URLSearchParams(Buffer.concat(await request.toArray()).toString());
  const { pathname, searchParams: query } = new URL(request.url, 'http://localhost');
  const route = routes[`${request.method} ${pathname}`] ?? (() => [404, { error: 'not_found' }]);
  const [status, body, headers] = await route({ headers: request.headers, query, form });
  const json = { 'content-type': 'application/json', 'cache-control': 'no-store' };
  response.writeHead(status, headers ?? json).end(headers ? body : JSON.stringify(body));
}

// A request that cannot be read, or breaks off, ends its own connection only.
const answerOrClose = (request, response) => handle(request, response).catch(() => response.destroy());
createServer(answerOrClose).listen(PORT, '127.0.0.1', () => console.log(`My Shop listens at http://127.0.0.1:${PORT}`));
