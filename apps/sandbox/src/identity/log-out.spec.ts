import { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { identityServer, logInPath, logOutPath, publicUrl } from '../../test/identity-server';

describe('the log-out of the sandbox identity provider', () => {
  let server: FastifyInstance;
  let cookies: Map<string, string>;

  beforeAll(async () => {
    server = await identityServer();
  });

  afterAll(() => server.close());

  beforeEach(async () => {
    cookies = new Map();
    const interaction = await send(logInPath());
    expect(interaction).toContain('/idp-interaction/');
    await send((await send(interaction, 'login=ada')) ?? '');
    expect(await send(logInPath())).toContain(`${publicUrl}/connect/callback?code=`);
  });

  /** As a browser with its cookies; returns where the answer leads. */
  async function send(address: string, form?: string): Promise<string> {
    return (await answerOf(address, form)).headers.location ?? '';
  }

  async function answerOf(address: string, form?: string): Promise<LightMyRequestResponse> {
    const { pathname, search } = new URL(address, 'http://localhost:7405');
    const headers = {
      ...{ host: 'localhost:7405', cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
      ...(form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
    };
    const answer = await server.inject({
      ...{ method: form === undefined ? 'GET' : 'POST', url: pathname + search, headers, payload: form },
    });
    for (const { name, value } of answer.cookies) cookies.set(name, value);
    return answer;
  }

  it.each([
    ['ends the session', 'logout=yes', '/idp-interaction/'],
    ['leaves the session to a user who stays', '', `${publicUrl}/connect/callback?code=`],
  ])('asks on its own page, and %s', async (_, choice, next) => {
    const { statusCode, body } = await answerOf(logOutPath());
    expect([statusCode, /https?:\/\/(?!localhost)/.test(body)]).toEqual([200, false]);
    const [, action] = /action="([^"]+)"/.exec(body) ?? [];
    const [, xsrf] = /name="xsrf" value="([^"]+)"/.exec(body) ?? [];
    expect(await send(action, `xsrf=${xsrf}&${choice}`)).toBe(`${publicUrl}/connect`);
    expect(await send(logInPath())).toContain(next);
  });
});
