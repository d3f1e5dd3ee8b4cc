import { freshName } from '@podium/testing';
import { Client } from 'pg';
import { AdminClient, adminClient, createIntegration } from '../../test/admin-client';
import { LinkBrowser } from '../../test/link-browser';
import { LinkViews } from '../../test/link-views';
import { LiteralPartner } from '../../test/literal-partner';
import { RunningLinkage, startLinkage } from '../../test/running-linkage';
import { ExchangeReply } from './activity-lists.dto';
import { LinkingReportReply } from './linking-report.dto';

describe('what operators see of a partner', () => {
  const partner = new LiteralPartner();
  const views = new LinkViews();
  let linkage: RunningLinkage;
  let admin: AdminClient;
  let database: Client;

  beforeAll(async () => {
    await partner.start();
    linkage = await startLinkage({ PARTNER_ADDRESS_ALLOW_LIST: partner.host });
    admin = await adminClient(linkage, { '*': 'admin' });
    database = new Client({ connectionString: linkage.databaseUrl });
    await database.connect();
    views.start();
  }, 60_000);

  beforeEach(() => {
    partner.tokenAnswer = null;
    partner.userInfoAnswer = null;
    partner.clientSecret = 'canary-partner-secret';
    views.follow();
  });

  afterEach(() => views.pause());

  afterAll(async () => {
    await views.stop();
    await database.end();
    await linkage.stop();
    await partner.stop();
  });

  async function newIntegration(): Promise<{ id: string; platform: string; organizer: string }> {
    const organizer = freshName('o');
    const { integrationId, platform } = await createIntegration(admin, partner, { organizer_id: organizer });
    return { id: integrationId, platform, organizer };
  }

  const report = async (id: string, query = ''): Promise<LinkingReportReply> =>
    (await admin.get(`/integrations/${id}/linking${query}`)).json as unknown as LinkingReportReply;
  const exchanges = async (id: string, query = ''): Promise<ExchangeReply[]> =>
    (await admin.get(`/integrations/${id}/exchanges${query}`)).json.items as ExchangeReply[];
  const browserOf = (userId = freshName('user')) => LinkBrowser.of(linkage, userId);

  it('shows the funnel with reasons and times', async () => {
    const { id, platform } = await newIntegration();
    expect(await report(id)).toMatchObject({ health: 'no_requests', requests: [], breakers: [] });
    expect((await (await browserOf()).link(id, freshName('sub'))).status).toBe(200);
    const declining = await browserOf();
    await declining.begin(id);
    await declining.get(`/v1/oauth/callback/${id}?error=access_denied`);
    partner.tokenAnswer = { status: 400, body: { error: 'invalid_grant' } };
    await (await browserOf()).link(id, freshName('sub'));
    partner.tokenAnswer = null;
    partner.userInfoAnswer = { body: '<html>down for maintenance</html>' };
    await (await browserOf()).link(id, freshName('sub'));
    await (await browserOf()).begin(id);
    const seen = await eventually(
      () => report(id),
      ({ funnel }) => funnel[0].passed === 5 && funnel[3].failed === 1 && funnel[4].passed === 1,
    );
    expect(seen).toMatchObject({ integration_id: id, platform, hours: 24, health: 'healthy' });
    const steps = seen.funnel.map(({ step, passed, failed, failures }) => [
      ...[step, passed, failed],
      failures.map(({ reason, detail, count }) => [reason, detail, count]),
    ]);
    expect(steps).toEqual([
      ['started', 5, 0, []],
      ['returned', 3, 1, [['partner_said_no', 'access_denied', 1]]],
      ['exchanged', 2, 1, [['partner_refused', 'invalid_grant', 1]]],
      ['identified', 1, 1, [['partner_malformed', null, 1]]],
      ['ready', 1, 0, []],
    ]);
    for (const { step, p50_ms: p50, p95_ms: p95 } of seen.funnel)
      expect([step, p50 !== null, (p95 ?? 0) >= (p50 ?? 0)]).toEqual([step, step !== 'started', true]);
    expect(seen.requests.map(({ operation, succeeded, failed }) => [operation, succeeded, failed])).toEqual([
      ['exchange', 2, 1],
      ['user_info', 1, 1],
    ]);
    expect(seen.requests[1]).toMatchObject({
      failures: [{ reason: 'malformed', detail: 'the body is not JSON', count: 1 }],
    });
    expect(seen.requests[1].last_failure_at).toMatch(/Z$/);
    expect((await admin.get(`/integrations/${id}/linking?hours=0`)).status).toBe(400);
  });

  it('shows exchanges without codes, tokens, secrets and data of users', async () => {
    const { id } = await newIntegration();
    const browser = await browserOf();
    const sub = freshName('canary-sub');
    const back = await browser.atPartner(await browser.begin(id), sub);
    partner.seen.length = 0;
    await browser.get(back);
    const [token, userInfo] = partner.seen;
    partner.tokenAnswer = { status: 400, body: { error: 'canary-error', 'canary-field': 'canary-value' } };
    await (await browserOf()).link(id, sub);
    const rows = await eventually(
      () => exchanges(id),
      (items) => items.length === 3,
    );
    expect(rows.map(({ operation, outcome }) => [operation, outcome])).toEqual([
      ['exchange', 'rejected'],
      ['user_info', 'ok'],
      ['exchange', 'ok'],
    ]);
    expect(rows[2]).toMatchObject({
      ...{ client_secret: 'current', reason: null, partner_code: null },
      request: {
        method: 'POST',
        url: `${partner.baseUrl}/oauth2/token`,
        fields: {
          grant_type: 'authorization_code',
          redirect_uri: `https://test.podium.example/v1/oauth/callback/${id}`,
          code: 'text of 21 characters',
          code_verifier: 'text of 43 characters',
        },
      },
      response: {
        status: 200,
        body: expect.stringMatching(/^JSON object, \d+ bytes$/),
        fields: { access_token: 'text of 27 characters', refresh_token: 'text of 27 characters' },
      },
    });
    expect(rows[0]).toMatchObject({
      ...{ reason: 'the partner refused', partner_code: 'other' },
      response: { status: 400, fields: { error: 'text of 12 characters', 'other fields': '1' } },
    });
    const stored = await database.query(`SELECT * FROM linkage.partner_exchanges`);
    const secrets = [
      ...[token.form.get('code') ?? '', token.form.get('code_verifier') ?? '', token.authorization.slice(6)],
      ...[userInfo.authorization.slice(7), partner.clientSecret, sub, 'canary', browser.userId],
    ];
    for (const secret of secrets) {
      expect(secret.length).toBeGreaterThan(5);
      expect(JSON.stringify([rows, stored.rows, await report(id)])).not.toContain(secret);
    }
    expect((await exchanges(id, '?failed=true')).map(({ outcome }) => outcome)).toEqual(['rejected']);
    expect((await exchanges(id, '?operation=user_info')).length).toBe(1);
    const page = await admin.get(`/integrations/${id}/exchanges?limit=2`);
    expect((await exchanges(id, `?limit=2&cursor=${String(page.json.next_cursor)}`)).length).toBe(1);
  });

  it('keeps the newest hundred of each kind for seven days, and none of an erased user', async () => {
    const { id, platform } = await newIntegration();
    const browser = await browserOf();
    await browser.link(id, freshName('sub'));
    await eventually(
      () => exchanges(id),
      (items) => items.length === 2,
    );
    const count = async (failed: boolean): Promise<number> => {
      const { rows } = await database.query<{ n: number }>(
        `SELECT count(*)::int AS n FROM linkage.partner_exchanges WHERE integration_id = $1 AND failed = $2`,
        [id, failed],
      );
      return rows[0].n;
    };
    await database.query(
      `INSERT INTO linkage.partner_exchanges (integration_id, at, failed, operation, detail, user_digest)
       SELECT $1, now(), true, 'refresh', '{}', gen_random_uuid() FROM generate_series(1, 300)`,
      [id],
    );
    partner.tokenAnswer = { status: 503, body: '' };
    await (await browserOf()).link(id, freshName('sub'));
    await eventually(
      () => count(true),
      (n) => n === 100,
    );
    expect(await count(false)).toBe(2);
    await database.query(`UPDATE linkage.partner_exchanges SET at = now() - interval '8 days' WHERE failed`);
    expect((await exchanges(id, '?failed=true')).length).toBe(0);
    const erased = await admin.post('/erasures', { platform, user_id: browser.userId });
    expect(erased.status).toBe(202);
    await eventually(
      () => count(false),
      (n) => n === 0,
    );
  }, 30_000);

  it('shows which of two live client secrets a partner accepts, and tries that one first', async () => {
    const { id } = await newIntegration();
    const link = async (): Promise<number> => {
      partner.seen.length = 0;
      expect((await (await browserOf()).link(id, freshName('sub'))).status).toBe(200);
      return partner.seen.filter(({ path }) => path === '/oauth2/token').length;
    };
    expect(await link()).toBe(1);
    // The operator enters the secret that the partner will take later; until then the former one is accepted.
    const before = await eventually(
      () => report(id),
      ({ client_secrets }) => client_secrets.current_accepted_at !== null,
    );
    expect(before.client_secrets).toMatchObject({ rotating: false, previous_accepted_at: null });
    await admin.patch(`/integrations/${id}`, { client_secret: 'next-secret' });
    // What the former secret did as the current one is its own, not that of the one that has replaced it.
    expect((await report(id)).client_secrets).toEqual({
      ...{ rotating: true, current_accepted_at: null },
      previous_accepted_at: before.client_secrets.current_accepted_at,
    });
    expect(await link()).toBe(2);
    expect(await link()).toBe(1);
    const during = await eventually(
      () => report(id),
      ({ client_secrets }) =>
        client_secrets.previous_accepted_at !== null &&
        client_secrets.previous_accepted_at !== before.client_secrets.current_accepted_at,
    );
    expect(during.client_secrets.current_accepted_at).toBeNull();
    partner.clientSecret = 'next-secret';
    expect(await link()).toBe(2);
    expect(await link()).toBe(1);
    const after = await eventually(
      () => report(id),
      ({ client_secrets: { current_accepted_at: current, previous_accepted_at: previous } }) =>
        String(current) > String(previous),
    );
    expect(after.client_secrets.previous_accepted_at! >= during.client_secrets.previous_accepted_at!).toBe(true);
    const ended = await admin.patch(`/integrations/${id}`, { previous_client_secret: null });
    expect(ended.json).toMatchObject({ client_secret_rotating: false });
    expect((await report(id)).client_secrets).toMatchObject({ rotating: false, previous_accepted_at: null });
    expect(await link()).toBe(1);
    const audit = await admin.get(`/audit?subject=integration:${id}`);
    const details = (audit.json.items as { detail: Record<string, unknown> }[]).map(({ detail }) => detail);
    expect(details[0]).toEqual({ previous_client_secret: 'removed' });
    expect(details[1]).toEqual({ client_secret: expect.stringContaining('replaced') });
    expect(audit.text).not.toContain('next-secret');
  });

  it('shows an open breaker while its instance says so, and the journal of refreshes', async () => {
    const { id, platform } = await newIntegration();
    const browser = await browserOf();
    const sub = freshName('sub');
    await browser.link(id, sub);
    partner.expireAccessTokens(sub);
    await database.query(`UPDATE linkage.links SET user_info_at = now() - interval '1 hour' WHERE sub = $1`, [sub]);
    await browser.get(`/v1/me/links/${id}?refresh=true`);
    const journal = await eventually(
      () => admin.get(`/integrations/${id}/refreshes?outcome=refreshed`),
      ({ json }) => (json.items as unknown[]).length === 1,
    );
    expect(journal.json.items).toEqual([
      {
        ...{
          refresh_id: expect.any(Number),
          link_id: expect.any(String),
          token_version: expect.any(Number),
          outcome: 'refreshed',
        },
        ...{ instance: 'linkage-spec', begun_at: expect.any(String), ended_at: expect.any(String) },
      },
    ]);
    partner.tokenAnswer = { status: 503, body: '' };
    for (let i = 0; i < 12; i++) await (await browserOf()).link(id, freshName('sub'));
    const down = await eventually(
      () => report(id),
      ({ health }) => health === 'down',
    );
    expect(down.breakers).toEqual([
      { instance: 'linkage-spec', state: expect.stringMatching(/open$/), since: expect.any(String) },
    ]);
    await database.query(
      `INSERT INTO linkage.partner_breakers VALUES ($1, 'stopped', 'open', now(), now() - interval '2 minutes')`,
      [platform],
    );
    expect((await report(id)).breakers.map(({ instance }) => instance)).toEqual(['linkage-spec']);
  }, 30_000);

  it('is visible only to operators of the organizer', async () => {
    const { id, organizer } = await newIntegration();
    const viewer = await adminClient(linkage, { [organizer]: 'viewer' });
    const stranger = await adminClient(linkage, { [freshName('o')]: 'admin' });
    for (const list of ['linking', 'exchanges', 'refreshes']) {
      expect((await viewer.get(`/integrations/${id}/${list}`)).status).toBe(200);
      expect((await stranger.get(`/integrations/${id}/${list}`)).status).toBe(404);
    }
    expect((await viewer.post(`/integrations/${id}/test-links`)).status).toBe(403);
    expect((await stranger.post(`/integrations/${id}/test-links`)).status).toBe(404);
  });
});

async function eventually<Value>(read: () => Promise<Value>, holds: (value: Value) => boolean): Promise<Value> {
  for (const endMs = Date.now() + 15_000; ; await new Promise((resolve) => setTimeout(resolve, 100))) {
    const value = await read();
    if (holds(value)) return value;
    if (Date.now() > endMs) throw new Error(`timed out: ${JSON.stringify(value)}`);
  }
}
