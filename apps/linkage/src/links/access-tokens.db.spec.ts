import { randomBytes } from 'node:crypto';
import { fixed } from '@podium/runtime/config';
import { inTransaction } from '@podium/runtime/postgres';
import { LinkInstance } from '../../test/link-instance';
import { LinkParts } from '../../test/link-parts';
import { Link } from './link';
import { saveUnlinked } from './link.store';
import { sealTokens } from './seal-tokens';
import { Vault } from '../vault/vault';

describe('AccessTokens', () => {
  let parts: LinkParts;
  let instances: LinkInstance[];
  let integration: { integrationId: string; platform: string };

  beforeAll(async () => {
    parts = await LinkParts.start();
    instances = [parts.instance('one'), parts.instance('two')];
  });

  beforeEach(async () => {
    // Each case has its own platform, so that no open circuit breaker affects another case.
    integration = await parts.integration();
    Object.assign(parts.partner, { tokenAnswer: null, userInfoAnswer: null, rotates: true, delayMs: 0, steps: {} });
    parts.partner.clientSecret = 'canary-partner-secret';
    parts.partner.seen.length = 0;
    parts.logged.length = 0;
  });

  afterAll(async () => {
    await Promise.all(instances.map((instance) => instance.stop()));
    await parts.stop();
  });

  const expire = (link: Link) => parts.expire(link);
  const refreshes = () => parts.partner.seen.filter(({ form }) => form.get('grant_type') === 'refresh_token').length;

  it('returns a token that is not due without a request to the partner', async () => {
    const link = await parts.link(integration);
    expect(await instances[0].accessTokens.accessTokenFor(link.linkId)).toMatchObject({ ok: true });
    expect(refreshes()).toBe(0);
  });

  it('refreshes once for many callers of two instances, at a partner that ends a grant on token reuse', async () => {
    parts.partner.delayMs = 150;
    for (let round = 0; round < 4; round++) {
      const link = await parts.link(integration);
      await expire(link);
      parts.partner.seen.length = 0;
      const calls = Array.from({ length: 12 }, (_, i) => instances[i % 2].accessTokens.accessTokenFor(link.linkId));
      const tokens = new Set((await Promise.all(calls)).map((token) => (token.ok ? token.accessToken : token.reason)));
      expect(tokens.size).toBe(1);
      expect([...tokens][0]).toMatch(/^at-/);
      expect(refreshes()).toBe(1);
      expect(parts.partner.isAlive(link.sub)).toBe(true);
      expect(await parts.published(link)).toEqual(['linking', 'refreshing', 'ready']);
    }
  });

  it('keeps the refresh token of a partner that does not rotate', async () => {
    parts.partner.rotates = false;
    const link = await parts.link(integration);
    for (let i = 0; i < 3; i++) {
      await expire(link);
      expect((await instances[0].accessTokens.accessTokenFor(link.linkId)).ok).toBe(true);
    }
    expect(refreshes()).toBe(3);
  });

  it('requires a log-in when the partner has ended the grant, and does not call the partner again', async () => {
    const link = await parts.link(integration);
    parts.partner.revoke(link.sub);
    await expire(link);
    for (const { accessTokens } of instances)
      expect(await accessTokens.accessTokenFor(link.linkId)).toEqual({ ok: false, reason: 'needs_reauth' });
    expect(await parts.published(link)).toEqual(['linking', 'refreshing', 'needs_reauth']);
    expect(await parts.reauthReason(link)).toBe('grant_ended');
    expect(await parts.journal(link)).toEqual(['ended']);
    expect(refreshes()).toBe(1);
  });

  it.each([
    ['is down', { status: 503, body: '' }],
    ['refuses the client', { status: 401, body: { error: 'invalid_client' } }],
    ['returns 401 with a non-standard code', { status: 401, body: { error: 'nope' } }],
    ['refuses the request as invalid', { status: 400, body: { error: 'invalid_request' } }],
    ['answers HTML', { body: '<html>' }],
    ['returns 400 in HTML, as a proxy does', { status: 400, body: '<html>invalid_grant</html>' }],
    ['returns an empty 400', { status: 400, body: '' }],
    ['returns 400 with a non-standard code', { status: 400, body: { error: 'grant_is_over' } }],
    ['returns 400 with an error that is not text', { status: 400, body: { error: { code: 'invalid_grant' } } }],
    ['returns invalid_grant with 403', { status: 403, body: { error: 'invalid_grant' } }],
    ['returns invalid_grant with 200', { status: 200, body: { error: 'invalid_grant' } }],
    ['returns invalid_grant in broken JSON', { status: 400, body: '{"error":"invalid_grant"' }],
  ])('keeps the link while the partner %s', async (_name, answer) => {
    const link = await parts.link(integration);
    await expire(link);
    parts.partner.tokenAnswer = answer;
    const refused = await instances[0].accessTokens.accessTokenFor(link.linkId);
    expect(refused).toEqual({ ok: false, reason: 'unavailable' });
    expect(await parts.state(link)).toBe('ready');
    parts.partner.tokenAnswer = null;
    expect((await instances[1].accessTokens.accessTokenFor(link.linkId)).ok).toBe(true);
  });

  it('requires a log-in after invalid_grant with status 401 too', async () => {
    const link = await parts.link(integration);
    await expire(link);
    parts.partner.tokenAnswer = { status: 401, body: { error: 'invalid_grant' } };
    const refused = await instances[0].accessTokens.accessTokenFor(link.linkId);
    expect(refused).toEqual({ ok: false, reason: 'needs_reauth' });
  });

  it('takes over from a stopped instance of the release before, which keeps no journal', async () => {
    const [repaired, lost] = [await parts.link(integration), await parts.link(integration)];
    parts.partner.revoke(lost.sub);
    for (const link of [repaired, lost]) {
      await parts.pool.query(
        `UPDATE linkage.link_tokens SET refresh_started_at = now() - interval '10 minutes', refresh_started_by = 'gone'
         WHERE link_id = $1`,
        [link.linkId],
      );
      await parts.pool.query(`UPDATE linkage.links SET state = 'refreshing' WHERE link_id = $1`, [link.linkId]);
    }
    // The first round gives the claims up; the token is sent when their instance has not come back.
    await instances[1].maintain();
    await instances[1].maintain();
    expect(refreshes()).toBe(0);
    expect(await parts.state(repaired)).toBe('refreshing');
    const past = `UPDATE linkage.link_tokens SET refresh_started_at = refresh_started_at - interval '20 seconds'`;
    await parts.pool.query(past);
    await instances[1].maintain();
    expect(await parts.state(repaired)).toBe('ready');
    expect(await parts.state(lost)).toBe('needs_reauth');
    expect(await parts.journal(repaired)).toEqual(['lost', 'refreshed']);
    expect(await parts.reauthReason(lost)).toBe('refresh_answer_lost');
  });

  it('does not take over the claim of a live instance', async () => {
    const link = await parts.link(integration);
    await expire(link);
    let sentBeside = -1;
    parts.partner.steps = {
      rotated: async () => {
        parts.partner.steps = {};
        await instances[1].maintain();
        sentBeside = refreshes() - 1;
      },
    };
    expect((await instances[0].accessTokens.accessTokenFor(link.linkId)).ok).toBe(true);
    expect([sentBeside, refreshes()]).toEqual([0, 1]);
  });

  it('does not take over the claim of a live instance because the timeout of the partner was lowered since', async () => {
    const timeout = (ms: number) =>
      parts.pool.query(
        `UPDATE linkage.integrations SET profile = profile || jsonb_build_object('timeout_ms', $2::int)
         WHERE integration_id = $1`,
        [integration.integrationId, ms],
      );
    await timeout(30_000);
    const link = await parts.link(integration);
    await expire(link);
    parts.partner.steps = {
      rotated: async () => {
        parts.partner.steps = {};
        await timeout(1000);
        // One round would give the claim up, the next one would send the token that the partner has replaced.
        for (let round = 0; round < 2; round++) {
          await parts.pool.query(
            `UPDATE linkage.link_tokens SET refresh_started_at = refresh_started_at - interval '20 seconds'
             WHERE link_id = $1`,
            [link.linkId],
          );
          await instances[1].maintain();
        }
      },
    };
    expect((await instances[0].accessTokens.accessTokenFor(link.linkId)).ok).toBe(true);
    expect(refreshes()).toBe(1);
    expect([parts.partner.isAlive(link.sub), await parts.state(link)]).toEqual([true, 'ready']);
  });

  it('drops new tokens that arrive after an unlink', async () => {
    const link = await parts.link(integration);
    await expire(link);
    parts.partner.steps = {
      rotated: async () => void (await inTransaction(parts.pool, (tx) => saveUnlinked(tx, link.linkId))),
    };
    const refreshed = await instances[0].accessTokens.accessTokenFor(link.linkId);
    expect(refreshed).toEqual({ ok: false, reason: 'not_linked' });
    expect(await parts.published(link)).toEqual(['linking', 'refreshing', 'unlinked']);
    const rows = await parts.pool.query(`SELECT 1 FROM linkage.link_tokens WHERE link_id = $1`, [link.linkId]);
    expect(rows.rowCount).toBe(0);
  });

  describe('with tokens that no key of this instance decrypts', () => {
    let link: Link;

    beforeEach(async () => {
      const other = new Vault(fixed([{ id: 'k2', key: randomBytes(32) }]));
      link = await parts.link(integration);
      const tokens = { accessToken: 'at', refreshToken: 'rt', expiresInS: null };
      const { accessTokenEnc, refreshTokenEnc } = sealTokens(other, link.linkId, tokens, 3600);
      await parts.pool.query(
        `UPDATE linkage.link_tokens SET access_token_enc = $2, refresh_token_enc = $3 WHERE link_id = $1`,
        [link.linkId, accessTokenEnc, refreshTokenEnc],
      );
      await expire(link);
      parts.partner.seen.length = 0;
    });

    const claim = async (): Promise<unknown> =>
      (
        await parts.pool.query(
          `SELECT refresh_started_at AS begun, refresh_due_at > now() + interval '4 minutes' AS "isLater"
           FROM linkage.link_tokens WHERE link_id = $1`,
          [link.linkId],
        )
      ).rows[0];

    it('begins no refresh, and tries again later', async () => {
      await instances[0].maintain();
      expect(parts.partner.seen).toEqual([]);
      expect(await parts.state(link)).toBe('ready');
      expect(await parts.published(link)).toEqual(['linking']);
      expect(await parts.journal(link)).toEqual([]);
      expect(await claim()).toEqual({ begun: null, isLater: true });
      expect(parts.logged.join()).toContain('cannot be decrypted');
    });

    it('ends a refresh that a stopped instance left open, whose answer stays unknown', async () => {
      await parts.pool.query(
        `UPDATE linkage.link_tokens SET refresh_started_at = now() - interval '10 minutes' WHERE link_id = $1`,
        [link.linkId],
      );
      await parts.pool.query(`UPDATE linkage.links SET state = 'refreshing' WHERE link_id = $1`, [link.linkId]);
      await parts.pool.query(
        `INSERT INTO linkage.token_refreshes (link_id, token_version, instance) VALUES ($1, 1, 'gone')`,
        [link.linkId],
      );
      await instances[0].maintain();
      expect(parts.partner.seen).toEqual([]);
      expect(await parts.state(link)).toBe('ready');
      expect(await parts.journal(link)).toEqual([null]);
      expect(await claim()).toEqual({ begun: null, isLater: true });
    });

    it('shows a user the link as it is', async () => {
      const lasting = `UPDATE linkage.link_tokens SET expires_at = now() + interval '1 hour' WHERE link_id = $1`;
      await parts.pool.query(lasting, [link.linkId]);
      await parts.pool.query(
        `UPDATE linkage.links SET user_info_at = now() - interval '2 minutes' WHERE link_id = $1`,
        [link.linkId],
      );
      await instances[0].checks.checkNow(link);
      expect(await parts.state(link)).toBe('ready');
      expect(parts.logged.join()).toContain('sealed under a key that VAULT_KEYS lacks');
    });
  });

  describe('with user info', () => {
    const checks = () => instances[0].checks;
    const nickname = async (link: Link) =>
      (await parts.pool.query(`SELECT nickname FROM linkage.links WHERE link_id = $1`, [link.linkId])).rows[0].nickname;

    it('refreshes on 401 and updates the nickname', async () => {
      const link = await parts.link(integration);
      parts.partner.expireAccessTokens(link.sub);
      expect(await checks().check(link.linkId)).toBe('current');
      expect(await nickname(link)).toBe(`Nick ${link.sub}`);
      expect(refreshes()).toBe(1);
    });

    it('refreshes once when the partner always refuses tokens, and keeps the link', async () => {
      const link = await parts.link(integration);
      parts.partner.userInfoAnswer = { status: 401, body: { error: 'invalid_token' } };
      expect(await checks().check(link.linkId)).toBe('unavailable');
      expect(refreshes()).toBe(1);
      expect(await parts.state(link)).toBe('ready');
    });

    it('refreshes once when a partner repeats the access token that it refuses', async () => {
      const link = await parts.link(integration, { accessToken: 'canary-repeated' });
      parts.partner.userInfoAnswer = { status: 401, body: { error: 'invalid_token' } };
      parts.partner.tokenAnswer = { body: { access_token: 'canary-repeated', refresh_token: 'canary-next' } };
      expect(await checks().check(link.linkId)).toBe('unavailable');
      expect(refreshes()).toBe(1);
      expect(parts.partner.seen.filter(({ path }) => path === '/oauth2/userinfo').length).toBe(2);
      expect(await parts.journal(link)).toEqual(['refreshed']);
      expect(await parts.state(link)).toBe('ready');
    });

    it.each([
      ['401 with a non-standard code', { status: 401, body: { error: 'nope' } }],
      ['an empty 401', { status: 401, body: '' }],
      ['401 in HTML', { status: 401, body: '<html>log in to the proxy</html>' }],
      ['403 with invalid_token', { status: 403, body: { error: 'invalid_token' } }],
    ])('takes %s for an outage: nothing is refreshed', async (_name, answer) => {
      const link = await parts.link(integration);
      parts.partner.userInfoAnswer = answer;
      expect(await checks().check(link.linkId)).toBe('unavailable');
      expect(refreshes()).toBe(0);
      expect(await parts.state(link)).toBe('ready');
    });

    it('refreshes on a 401 with invalid_token only in its header', async () => {
      const link = await parts.link(integration);
      parts.partner.userInfoAnswer = (response) => {
        parts.partner.userInfoAnswer = null;
        response.writeHead(401, { 'www-authenticate': 'Bearer error="invalid_token"' }).end();
      };
      expect(await checks().check(link.linkId)).toBe('current');
      expect(refreshes()).toBe(1);
    });

    it('never moves a link to another account', async () => {
      const link = await parts.link(integration);
      parts.partner.userInfoAnswer = { body: { sub: 'somebody-else', nickname: 'x' } };
      expect(await checks().check(link.linkId)).toBe('needs_reauth');
      expect(await nickname(link)).toBe('old nick');
      expect(await parts.reauthReason(link)).toBe('other_account');
    });

    it('says nothing against tokens that a log-in has stored meanwhile', async () => {
      const link = await parts.link(integration);
      const tokens = await parts.tokensFor(link.sub);
      parts.partner.userInfoAnswer = (response) => {
        const answer = JSON.stringify({ sub: 'somebody-else', nickname: 'x' });
        void parts.linkAgain(link, tokens).then(() => response.end(answer));
      };
      expect(await checks().check(link.linkId)).toBe('unavailable');
      expect(await parts.state(link)).toBe('ready');
    });

    it('uses a token without a refresh token until the partner refuses it', async () => {
      const link = await parts.link(integration, { refreshToken: null });
      await expire(link);
      expect(await checks().check(link.linkId)).toBe('current');
      parts.partner.expireAccessTokens(link.sub);
      expect(await checks().check(link.linkId)).toBe('needs_reauth');
      expect(await parts.reauthReason(link)).toBe('no_refresh_token');
      expect(refreshes()).toBe(0);
    });

    it('checks each ready link once a day, by one instance', async () => {
      const link = await parts.link(integration);
      const old = `UPDATE linkage.links SET user_info_at = now() - interval '25 hours' WHERE link_id = $1`;
      await parts.pool.query(old, [link.linkId]);
      await Promise.all(instances.map((instance) => instance.maintain()));
      expect(parts.partner.seen.filter(({ path }) => path === '/oauth2/userinfo').length).toBe(1);
      expect(await nickname(link)).toBe(`Nick ${link.sub}`);
    });

    it('checks at a user’s request at most once a minute', async () => {
      const link = await parts.link(integration);
      await parts.pool.query(
        `UPDATE linkage.links SET user_info_at = now() - interval '2 minutes' WHERE link_id = $1`,
        [link.linkId],
      );
      await Promise.all([checks().checkNow(link), instances[1].checks.checkNow(link)]);
      await checks().checkNow(link);
      expect(parts.partner.seen.filter(({ path }) => path === '/oauth2/userinfo').length).toBe(1);
    });
  });

  it('writes no token to the log', () => {
    expect(parts.logged.join()).not.toMatch(/\b(at|rt)-[0-9a-f]{24}/);
  });
});
