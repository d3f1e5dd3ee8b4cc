import { randomUUID } from 'node:crypto';
import { Registry } from '@podium/runtime/metrics';
import { Queryable, queryable } from '@podium/runtime/postgres';
import { LinkParts } from '../../test/link-parts';
import { PartnerHttp } from '../partner-client/partner-http';
import { CheckMetrics } from './check-metrics';
import { CheckRunner } from './check-runner';
import { bindBrowser, endLogIn, findWaitingCheck, insertCheck, putLogIn, readCheck } from './partner-check.store';

const aliveEveryMs = 50;

describe('a check of a partner that does not answer', () => {
  let parts: LinkParts;
  let http: PartnerHttp;
  let runner: CheckRunner;
  let registry: Registry;
  let key: { checkId: string; integrationId: string };
  let isAway: boolean;

  beforeAll(async () => {
    parts = await LinkParts.start();
  });

  beforeEach(async () => {
    const { pool, vault, logger, partner } = parts;
    registry = new Registry();
    http = new PartnerHttp(new Set([partner.host]));
    isAway = false;
    const stored = queryable(pool);
    const db: Queryable = {
      query: (text, values) => (isAway ? Promise.reject(connectionRefused()) : stored.query(text, values)),
    };
    runner = new CheckRunner({ db, http, vault, logger, metrics: new CheckMetrics(registry) }, aliveEveryMs);
    partner.userInfoAnswer = () => undefined;
    partner.seen.length = 0;
    const { integrationId } = await parts.integration();
    key = { checkId: randomUUID(), integrationId };
    await insertCheck(queryable(pool), { ...key, integrationVersion: 1, startedBy: 'spec' });
  });

  afterEach(async () => {
    await runner.stop();
    await http.stop();
  });

  afterAll(() => parts.stop());

  const status = async () => (await readCheck(queryable(parts.pool), key))?.status;

  /** Says that the check was not heard of for two minutes. */
  const beSilent = () =>
    parts.pool.query(`UPDATE linkage.partner_checks SET alive_at = now() - interval '2 minutes' WHERE check_id = $1`, [
      key.checkId,
    ]);

  async function begin(): Promise<void> {
    const { baseUrl, clientId, clientSecret, seen } = parts.partner;
    const target = { baseUrl, clientId, clientSecret, scope: null, authorizationUrl: `${baseUrl}/authorize` };
    const redirectUri = 'https://podium.example/connect/callback';
    runner.begin({ checkId: key.checkId, platform: 'silent', target: { ...target, redirectUri } });
    while (seen.length === 0) await sleep(10);
  }

  it('does not hold up the stop of the process', async () => {
    await begin();
    const startedAt = performance.now();
    await runner.stop();
    expect(await registry.metrics()).toContain('linkage_partner_checks_total{outcome="interrupted"} 1');
    expect(performance.now() - startedAt).toBeLessThan(1500);
    expect(await status()).toBe('interrupted');
  });

  it('goes on after an outage of Postgres, before a log-in and while it waits for one', async () => {
    parts.partner.userInfoAnswer = null;
    isAway = true;
    await begin();
    await sleep(1_500);
    expect(await status()).toBe('running');
    isAway = false;
    while ((await status()) === 'running') await sleep(aliveEveryMs);
    expect(await status()).toBe('waiting_for_log_in');
    isAway = true;
    await sleep(1_500);
    expect(await status()).toBe('waiting_for_log_in');
    isAway = false;
    await runner.stop();
    expect(await status()).toBe('interrupted');
  });

  it('does not hold up the stop of the process while Postgres is away', async () => {
    parts.partner.userInfoAnswer = null;
    isAway = true;
    await begin();
    await sleep(1_500);
    const startedAt = performance.now();
    await runner.stop();
    expect(performance.now() - startedAt).toBeLessThan(1_500);
  });

  it('is alive during its requests too', async () => {
    await begin();
    await beSilent();
    while ((await status()) !== 'running') await sleep(aliveEveryMs);
  });

  const logIn = {
    ...{ number: 1, purpose: 'spec', urlEnc: 'sealed', stateHash: Buffer.from('state') },
    ...{ entryEnc: 'sealed', entryHash: Buffer.from('entry') },
  };

  it('gets no redirect when its instance is silent', async () => {
    const db = queryable(parts.pool);
    await putLogIn(db, key.checkId, logIn);
    const waiting = { integrationId: key.integrationId, stateHash: logIn.stateHash, browserHash: null };
    expect(await findWaitingCheck(db, waiting)).toMatchObject({ checkId: key.checkId });
    expect(await bindBrowser(db, { ...logIn, browserHash: Buffer.from('browser') })).not.toBeNull();
    await beSilent();
    expect(await findWaitingCheck(db, waiting)).toBeNull();
    expect(await bindBrowser(db, { ...logIn, browserHash: Buffer.from('browser') })).toBeNull();
  });

  it('stays interrupted after another check has begun', async () => {
    const db = queryable(parts.pool);
    await beSilent();
    await insertCheck(db, { ...key, checkId: randomUUID(), integrationVersion: 1, startedBy: 'spec' });
    await putLogIn(db, key.checkId, logIn);
    expect(await status()).toBe('interrupted');
    await endLogIn(db, key.checkId);
    expect(await status()).toBe('interrupted');
  });
});

function connectionRefused(): Error {
  return Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
