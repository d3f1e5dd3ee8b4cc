import { randomBytes } from 'node:crypto';
import { fixed } from '@podium/runtime/config';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sessionKey } from '../../test/spec-keys';
import { BrowserCookies } from './browser-cookies';
import { PendingLogins } from './pending-logins';
import { SealedCookies } from './sealed-cookies';

const name = '__Host-podium_login';
const login = (id: string) => ({ state: `state-${id}`, nonce: `nonce-${id}`, codeVerifier: `canary-verifier-${id}` });

/** A browser with one cookie. */
class OneCookie {
  value = '';

  get request(): FastifyRequest {
    return { headers: { cookie: `${name}=${this.value}` } } as unknown as FastifyRequest;
  }

  readonly reply = {
    header: (_: string, line: string) => void (this.value = new RegExp(`^${name}=([^;]*)`).exec(line)?.[1] ?? ''),
  } as unknown as FastifyReply;
}

describe('PendingLogins', () => {
  const sealed = new SealedCookies(fixed([{ id: 's1', key: sessionKey }]));
  const logins = new PendingLogins(sealed, new BrowserCookies('https://podium.example'));
  let browser: OneCookie;

  beforeEach(() => (browser = new OneCookie()));

  const add = (id: string): Promise<void> => logins.add(browser.request, browser.reply, login(id));
  const found = async (id: string): Promise<boolean> =>
    (await logins.find(browser.request, `state-${id}`))?.codeVerifier === login(id).codeVerifier;

  it('keeps those of several tabs until each has ended', async () => {
    await add('a');
    await add('b');
    expect([await found('a'), await found('b')]).toEqual([true, true]);
    await logins.end(browser.request, browser.reply, 'state-a');
    expect([await found('a'), await found('b')]).toEqual([false, true]);
    await logins.end(browser.request, browser.reply, 'state-b');
    expect(browser.value).toBe('');
  });

  it('ends the oldest of more than four, so that the cookie stays small', async () => {
    for (const id of ['a', 'b', 'c', 'd', 'e']) await add(id);
    expect([await found('a'), await found('b'), await found('e')]).toEqual([false, true, true]);
    const size = browser.value.length;
    for (let count = 0; count < 20; count++) await add('f');
    expect(browser.value.length).toBeLessThanOrEqual(size);
  });

  it('ends each ten minutes after it began, also when others begin and end meanwhile', async () => {
    const startedMs = Date.now();
    const clock = jest.spyOn(Date, 'now').mockReturnValue(startedMs);
    try {
      await add('a');
      clock.mockReturnValue(startedMs + 400_000);
      await add('b');
      await add('c');
      await logins.end(browser.request, browser.reply, 'state-c');
      expect([await found('a'), await found('b')]).toEqual([true, true]);
      clock.mockReturnValue(startedMs + 601_000);
      expect([await found('a'), await found('b')]).toEqual([false, true]);
    } finally {
      clock.mockRestore();
    }
  });

  it('finds none without a state, and none in what another key has sealed', async () => {
    await add('a');
    expect(await logins.find(browser.request, null)).toBeNull();
    const others = new SealedCookies(fixed([{ id: 's1', key: randomBytes(32) }]));
    browser.value = await others.seal('login', login('a'), 600);
    expect(await found('a')).toBe(false);
  });

  it('goes on with a log-in that began at the release before, and has the newest where that release looks for it', async () => {
    browser.value = await sealed.seal('login', login('a'), 600);
    expect(await found('a')).toBe(true);
    await add('b');
    expect(await sealed.open('login', browser.value)).toMatchObject(login('b'));
  });
});
