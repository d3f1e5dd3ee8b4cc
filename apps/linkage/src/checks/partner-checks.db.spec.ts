import { CheckReport, terminalReport } from '@podium/partner-check';
import { Client } from 'pg';
import { AdminClient, adminClient } from '../../test/admin-client';
import { insertIntegration } from '../../test/insert-integration';
import { LinkBrowser } from '../../test/link-browser';
import { LiteralPartner } from '../../test/literal-partner';
import { RunningLinkage, startLinkage } from '../../test/running-linkage';

/** A partner that logs in whoever opens its page. */
const partner = new LiteralPartner();
/** Not on the allow list, at a loopback address. */
const unlisted = new LiteralPartner();
let linkage: RunningLinkage;
let admin: AdminClient;
let integrationId: string;
/** The operator's. */
let browser: LinkBrowser;

beforeAll(async () => {
  await Promise.all([partner.start(), unlisted.start()]);
  partner.clientSecret = 'canary%secret+of/client';
  linkage = await startLinkage({ PARTNER_ADDRESS_ALLOW_LIST: partner.host });
  admin = await adminClient(linkage, { 'organizer-1': 'admin' });
  browser = await LinkBrowser.of(linkage);
  integrationId = await insertIntegration(linkage.databaseUrl, {
    platform: 'checked',
    displayName: 'Checked',
    partner,
  });
}, 60_000);
afterAll(async () => {
  await linkage.stop();
  await Promise.all([partner.stop(), unlisted.stop()]);
});

const start = (client = admin) => client.post(`/integrations/${integrationId}/checks`);
const show = async (checkId: unknown, client = admin) =>
  (await client.get(`/integrations/${integrationId}/checks/${String(checkId)}`)).json;

/** Logs in at the partner by the address of a log-in; returns where the partner sends the browser. */
async function logIn(address: unknown): Promise<URL> {
  const atPartner = await fetch(await browser.openCheck(String(address)), { redirect: 'manual' });
  return new URL(atPartner.headers.get('location') ?? '');
}

const bringBack = async ({ pathname, search }: URL, by = browser): Promise<string> =>
  (await by.get(pathname + search)).text;

/** Logs in as often as the check asks; returns the finished check. */
async function finish(started: Record<string, unknown>, logInsDone = 0): Promise<Record<string, unknown>> {
  let check = started;
  let done = logInsDone;
  while (check.status === 'running' || check.status === 'waiting_for_log_in') {
    if (Number(check.log_in_number) > done) {
      done = Number(check.log_in_number);
      expect(await bringBack(await logIn(check.log_in_url))).toContain('The log-in has arrived');
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
    check = await show(check.check_id);
  }
  return check;
}

it('checks a partner by log-ins that link nobody, and applies the derived profile with an audit entry', async () => {
  const started = await start();
  expect(started).toMatchObject({
    status: 202,
    json: { status: 'waiting_for_log_in', log_in_number: 1, report: null },
  });
  expect((await start()).status).toBe(409);
  const check = await finish(started.json);
  const report = check.report as CheckReport;
  expect(report).toMatchObject({
    verdict: 'links',
    profile: {
      client_auth: { observed: true, value: 'basic_raw' },
      rotation: { observed: true, value: true },
      reuse: { observed: true, value: 'ends_the_grant' },
      access_token_lifetime_s: { observed: false },
    },
  });
  expect(report.findings.map(({ code }) => code)).toEqual(
    expect.arrayContaining(['authorization_ignores_redirect_uri', 'token_redirect_uri_ignored', 'expires_in_missing']),
  );
  expect((await admin.get('/links?platform=checked')).json.items).toEqual([]);
  const written = JSON.stringify(check) + linkage.logged.join('');
  for (const secret of [partner.clientSecret, encodeURIComponent(partner.clientSecret), 'rt-', 'browser-user'])
    expect(written).not.toContain(secret);

  const applied = await admin.post(`/integrations/${integrationId}/checks/${String(check.check_id)}/apply`);
  expect(applied).toMatchObject({
    status: 200,
    json: { profile: { client_auth: 'basic_raw', pkce: true, scope: null } },
  });
}, 60_000);

it('applies nothing over a later change of the integration, and writes what it applied into the audit', async () => {
  const update = await admin.patch(`/integrations/${integrationId}`, {
    profile: { pkce: false, client_id_in_body: true },
  });
  expect(update.status).toBe(200);
  const check = await finish((await start()).json);
  const apply = `/integrations/${integrationId}/checks/${String(check.check_id)}/apply`;
  expect(await admin.post(apply)).toMatchObject({
    status: 200,
    json: { profile: { pkce: true, client_id_in_body: false } },
  });
  const audit = await admin.get(`/audit?subject=integration:${integrationId}`);
  expect(audit.json.items).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        action: 'integration.updated',
        detail: {
          pkce: { from: false, to: true },
          client_id_in_body: { from: true, to: false },
          applied_check: check.check_id,
        },
      }),
      expect.objectContaining({ action: 'integration.check_started', detail: { check_id: check.check_id } }),
    ]),
  );
  expect(await admin.post(apply)).toMatchObject({ status: 409 });
}, 60_000);

it('sees a redirect without state, with any characters, and says so instead of waiting', async () => {
  const started = (await start()).json;
  const back = await logIn(started.log_in_url);
  back.searchParams.delete('state');
  // The report is JSON in Postgres, which refuses NUL and half of a surrogate pair, as a cut would leave.
  back.searchParams.set('scope', `a\0${'😀'.repeat(150)}`);
  back.searchParams.set('prompt', 'a'.repeat(199) + '😀');
  expect(await bringBack(back)).toContain('The log-in has arrived');
  const check = await finish(started, 1);
  expect((check.report as CheckReport).findings.map(({ code }) => code)).toContain('state_missing');
  const apply = await admin.post(`/integrations/${integrationId}/checks/${String(check.check_id)}/apply`);
  expect(apply).toMatchObject({ status: 422, json: { error: { code: 'unprocessable' } } });
}, 60_000);

it('does not replay codes and refresh tokens of an account that is linked', async () => {
  await linkAccount(partner.browserSub);
  const report = (await finish((await start()).json)).report as CheckReport;
  expect(report.profile.reuse).toMatchObject({ observed: false, why: expect.stringContaining('not safe') });
  expect(report.cases.find(({ id }) => id === 'code_once')).toMatchObject({ outcome: 'not_observed' });
}, 60_000);

it('lists the last checks with their verdicts, and counts them', async () => {
  const { json } = await admin.get(`/integrations/${integrationId}/checks`);
  const items = json.items as Record<string, unknown>[];
  expect(items.map(({ status, verdict }) => [status, verdict])).toEqual([
    ...[['finished', 'links']],
    ...[['finished', 'does_not_link']],
    ...[['finished', 'links']],
    ...[['finished', 'links']],
  ]);
  const {
    log_in_url: _url,
    log_in_number: _number,
    log_in_purpose: _purpose,
    report: _report,
    ...summary
  } = await show(items[0].check_id);
  expect(items[0]).toEqual(summary);
  const metrics = await linkage.metrics();
  expect(metrics).toContain('linkage_partner_checks_total{outcome="links",service="linkage"} 3');
  expect(metrics).toContain('linkage_partner_checks_total{outcome="does_not_link",service="linkage"} 1');
});

it('checks both client secrets of a rotation, and says by fingerprint which one works', async () => {
  const next = 'canary%next+secret/of-client';
  const update = (body: object) => admin.patch(`/integrations/${integrationId}`, body);
  expect((await update({ client_secret: next })).status).toBe(200);
  const before = await finish((await start()).json);
  const fingerprint = expect.stringMatching(/^[0-9a-f]{16}$/);
  const [current, previous] = [
    { which: 'current', fingerprint },
    { which: 'previous', fingerprint },
  ];
  expect(before.report).toMatchObject({
    verdict: 'links',
    client_secrets: [
      { ...current, outcome: 'refused', used: false },
      { ...previous, outcome: 'accepted', used: true },
    ],
  });
  const text = terminalReport(before.report as CheckReport);
  expect(text).toMatch(/current \([0-9a-f]{16}\) +refused\n +previous \([0-9a-f]{16}\) +accepted, used for this check/);
  const former = partner.clientSecret;
  partner.clientSecret = next;
  const { report } = (await finish((await start()).json)) as { report: CheckReport };
  expect(report).toMatchObject({
    verdict: 'links',
    client_secrets: [
      { ...current, outcome: 'accepted', used: true },
      { ...previous, outcome: 'refused', used: false },
    ],
  });
  const named = (of: CheckReport) => of.client_secrets?.map((each) => each.fingerprint);
  expect(named(report)).toEqual(named(before.report as CheckReport));
  expect(new Set(named(report)).size).toBe(2);
  for (const secret of [next, former, encodeURIComponent(next), encodeURIComponent(former)])
    expect(JSON.stringify([before, report])).not.toContain(secret);
  expect((await update({ previous_client_secret: null })).status).toBe(200);
  expect(((await finish((await start()).json)).report as CheckReport).client_secrets).toBeUndefined();
}, 60_000);

it('keeps to the roles of the organizer', async () => {
  const viewer = await adminClient(linkage, { 'organizer-1': 'viewer' });
  const other = await adminClient(linkage, { 'organizer-2': 'admin' });
  expect([(await start(viewer)).status, (await start(other)).status]).toEqual([403, 404]);
  const list = async (client: AdminClient) => (await client.get(`/integrations/${integrationId}/checks`)).status;
  expect([await list(viewer), await list(other)]).toEqual([200, 404]);
  const started = (await start()).json;
  expect(started.log_in_url).toEqual(expect.stringContaining('/connect/check?entry='));
  expect(await show(started.check_id, viewer)).toMatchObject({ status: 'waiting_for_log_in', log_in_url: null });
  expect(await show(started.check_id, other)).toMatchObject({ error: { code: 'not_found' } });
  await finish(started);
}, 60_000);

it('does not take answers that come later than the timeout of the integration', async () => {
  partner.delayMs = 2_100;
  try {
    const { verdict, findings } = (await finish((await start()).json)).report as CheckReport;
    expect(verdict).toBe('does_not_link');
    expect(findings.map(({ code }) => code)).toContain('answer_too_late');
  } finally {
    partner.delayMs = 0;
  }
}, 60_000);

it('calls no address that links could not call', async () => {
  const id = await insertIntegration(linkage.databaseUrl, { platform: 'private', displayName: 'P', partner: unlisted });
  const check = await admin.post(`/integrations/${id}/checks`);
  expect(check).toMatchObject({
    status: 202,
    json: { status: 'finished', report: { verdict: 'does_not_link', log_ins: 0 } },
  });
  expect(unlisted.seen).toEqual([]);
});

describe('a redirect from another browser than the operator’s', () => {
  const other = 'This log-in was not opened in this browser';
  const unknown = 'This attempt to connect is not valid';

  it('changes nothing, whatever it carries', async () => {
    const started = (await start()).json;
    const withoutCookie = (): Promise<LinkBrowser> => LinkBrowser.of(linkage);
    const back = await logIn(started.log_in_url);
    const stateless = new URL(`${back.pathname}?error=access_denied`, back);
    const denied = new URL(`${stateless.pathname}?error=access_denied&state=${back.searchParams.get('state')}`, back);
    const user = await LinkBrowser.of(linkage, 'user-2');
    await user.begin(integrationId);
    for (const by of [await withoutCookie(), user]) {
      for (const returned of [back, denied]) expect(await bringBack(returned, by)).toContain(other);
      for (const search of ['', '?code=x&state=y'])
        expect((await by.get(back.pathname + search)).text).not.toContain('has arrived');
    }
    expect(await bringBack(stateless, await withoutCookie())).toContain(unknown);
    expect(await show(started.check_id)).toMatchObject({ status: 'waiting_for_log_in', log_in_number: 1 });
    expect(await bringBack(back)).toContain('The log-in has arrived');
    const check = await finish(started, 1);
    expect((check.report as CheckReport).verdict).toBe('links');
  }, 60_000);

  it('is not taken before anybody has opened the log-in, and after that only from where it was opened last', async () => {
    const started = (await start()).json;
    const wrong = new URL(String(started.log_in_url));
    wrong.searchParams.set('entry', 'x'.repeat(43));
    expect(await browser.get(wrong.pathname + wrong.search)).toMatchObject({
      status: 404,
      text: expect.stringContaining('No check waits'),
    });
    const path = `/v1/oauth/callback/${integrationId}?error=access_denied`;
    expect((await browser.get(path)).text).toContain(unknown);
    const { pathname, search } = new URL(String(started.log_in_url));
    expect((await browser.get(pathname + search, { 'sec-purpose': 'prefetch' })).status).toBe(425);
    expect((await browser.send('HEAD', pathname + search)).status).toBe(425);
    const back = await logIn(started.log_in_url);
    const second = await LinkBrowser.of(linkage);
    await second.openCheck(String(started.log_in_url));
    expect(await bringBack(back)).toContain(other);
    expect(await bringBack(back, second)).toContain('The log-in has arrived');
    expect((await browser.get(pathname + search)).status).toBe(404);
    expect(((await finish(started, 1)).report as CheckReport).verdict).toBe('links');
  }, 60_000);

  it('leaves the operator the flows of a user in the same browser', async () => {
    const own = await LinkBrowser.of(linkage, 'user-3');
    const started = (await start()).json;
    await own.openCheck(String(started.log_in_url));
    await own.begin(integrationId);
    const refused = await own.get(`/v1/oauth/callback/${integrationId}?error=access_denied`);
    expect(refused.text).toContain('was not completed');
    expect((await own.get(`/v1/oauth/callback/${integrationId}?error=access_denied`)).text).toContain('has arrived');
    await finish(started, 1);
  }, 60_000);
});

async function linkAccount(sub: string): Promise<void> {
  const client = new Client({ connectionString: linkage.databaseUrl });
  await client.connect();
  await client.query(
    `INSERT INTO linkage.links (link_id, integration_id, platform, organizer_id, user_id, sub, nickname, state, linked_at, version)
     VALUES (gen_random_uuid(), $1, 'checked', 'organizer-1', 'user-1', $2, 'n', 'ready', now(), 1)`,
    [integrationId, sub],
  );
  await client.end();
}
