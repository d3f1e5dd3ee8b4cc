import { logInAtStrictPartner } from '@podium/simulated-partner/strict/strict-log-in';
import { randomUUID } from 'node:crypto';
import { DemoStack, StackDescription } from '../support/demo-stack';

type LogIn = (authorizationUrl: string, redirectUrl: string) => Promise<string>;

/** Tests of linking with the partners of the local stack, on a demo stack. */
export function describeSandboxPartners(demoOf: () => DemoStack): void {
  describe('the partners of the local stack', () => {
    let stack: StackDescription;

    beforeAll(() => {
      stack = demoOf().description;
    });

    /** The page after a flow of a new user, and the link's state as soon as it is ready, or after so many seconds. */
    async function link(
      integrationId: string,
      logIn: LogIn,
      withinS = 30,
    ): Promise<{ page: string; state: string | undefined }> {
      const body = JSON.stringify({ sub: `user-${randomUUID()}` });
      const json = { 'content-type': 'application/json' };
      const minted = await fetch(`${stack.sandbox_url}/dev/tokens`, { method: 'POST', headers: json, body });
      const { access_token } = (await minted.json()) as { access_token: string };
      const authorization = `Bearer ${access_token}`;
      const path = `${stack.gateway_url}/v1/me/links/${integrationId}`;
      const headers = { authorization, ...json };
      const start = await fetch(`${path}/start`, { method: 'POST', headers, body: '{}' });
      const cookie = start.headers.getSetCookie().map((line) => line.split(';')[0]);
      const { authorization_url } = (await start.json()) as { authorization_url: string };
      const back = await logIn(authorization_url, new URL(authorization_url).searchParams.get('redirect_uri') ?? '');
      const page = await fetch(back, { headers: { authorization, cookie: cookie.join('; ') } });
      const text = await page.text();
      let state: string | undefined;
      const tries = 20 * withinS;
      for (let i = 0; i < tries && state !== 'ready'; i++, await new Promise((resolve) => setTimeout(resolve, 50))) {
        const answer = await fetch(path, { headers: { authorization } });
        state = ((await answer.json()) as { link: { state: string } | null }).link?.state;
      }
      return { page: text, state };
    }

    const atSandbox: LogIn = async (authorizationUrl) => {
      const body = new URLSearchParams({ account: `fox-${randomUUID()}`, action: 'allow' });
      const answer = await fetch(authorizationUrl, { method: 'POST', redirect: 'manual', body });
      return answer.headers.get('location') ?? '';
    };

    it('link a user with the strict one, a certified OpenID provider', async () => {
      const atStrict: LogIn = (url, redirectUrl) => logInAtStrictPartner(url, redirectUrl, 'strict-hare');
      const { page, state } = await link(stack.strict_integration_id, atStrict);
      expect(page).toContain('strict-hare');
      expect(state).toBe('ready');
    });

    it('err when they are told to, for as many requests as asked', async () => {
      const modes = `${stack.sandbox_url}/dev/partners/${stack.platform}/modes`;
      const body = JSON.stringify({ modes: [{ mode: 'html-400', at: ['exchange'], times: 1 }] });
      const set = await fetch(modes, { method: 'PUT', headers: { 'content-type': 'application/json' }, body });
      expect(set.status).toBe(200);
      const failed = await link(stack.integration_id, atSandbox, 1);
      expect(failed.page).toContain('did not confirm the log-in');
      expect(failed.state).toBeUndefined();
      expect(await (await fetch(modes)).json()).toEqual({ modes: [] });
      expect(await link(stack.integration_id, atSandbox)).toMatchObject({ state: 'ready' });
    });

    it('show their modes on the sandbox page', async () => {
      const choose = new URLSearchParams({ mode: 'drip' });
      await fetch(`${stack.sandbox_url}/console/${stack.platform}/mode`, { method: 'POST', body: choose });
      expect(await (await fetch(stack.sandbox_url)).text()).toContain('Mode in force: <strong>drip</strong>');
      const none = new URLSearchParams({ mode: '' });
      await fetch(`${stack.sandbox_url}/console/${stack.platform}/mode`, { method: 'POST', body: none });
      expect(await (await fetch(stack.sandbox_url)).text()).toContain('This partner follows the specification.');
    });
  });
}
