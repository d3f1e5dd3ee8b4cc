import { freshName } from '@podium/testing';
import { Client } from 'pg';
import { AdminClient, adminClient } from '../../test/admin-client';
import { LinkBrowser } from '../../test/link-browser';
import { LinkViews } from '../../test/link-views';
import { LiteralPartner } from '../../test/literal-partner';
import { RunningLinkage, startLinkage } from '../../test/running-linkage';

const patient = { timeout_ms: 30_000 };

describe('while partners do not respond', () => {
  const hanging = new LiteralPartner();
  const well = new LiteralPartner();
  const views = new LinkViews();
  let linkage: RunningLinkage;
  let admin: AdminClient;

  beforeAll(async () => {
    await Promise.all([hanging.start(), well.start()]);
    linkage = await startLinkage({ PARTNER_ADDRESS_ALLOW_LIST: `${hanging.host},${well.host}` });
    admin = await adminClient(linkage, { '*': 'admin' });
    views.start();
    views.follow();
  }, 60_000);

  beforeEach(() => {
    hanging.seen.length = 0;
    hanging.tokenAnswer = () => undefined;
  });

  afterAll(async () => {
    await views.stop();
    await linkage.stop();
    await Promise.all([hanging.stop(), well.stop()]);
  });

  async function integrationWith(partner: LiteralPartner): Promise<string> {
    const name = freshName('p');
    const answer = await admin.post('/integrations', {
      ...{ platform: name, partner: name, organizer_id: 'organizer-1', display_name: 'Arena' },
      ...{ authorization_url: `${partner.baseUrl}/authorize`, base_url: partner.baseUrl },
      ...{ client_id: partner.clientId, client_secret: partner.clientSecret, profile: patient },
    });
    expect(answer.status).toBe(201);
    return answer.json.integration_id as string;
  }

  /** Begins a flow of a new user; the returned function sends the callback and returns the final page. */
  async function callbackOf(integrationId: string): Promise<() => Promise<string>> {
    const browser = await LinkBrowser.of(linkage, freshName('user'));
    const back = await browser.atPartner(await browser.begin(integrationId), freshName('sub'));
    return async () => (await browser.get(back)).text;
  }

  /** What explains a page that was not expected. */
  const warnings = () => linkage.logged.filter((line) => /"level":[4-6]0/.test(line)).slice(-20);
  const tokenRequests = () => hanging.seen.filter(({ path }) => path === '/oauth2/token').length;

  it('they share part of the capacity, responsive partners have the rest, and pages are sent before the gateway’s timeout', async () => {
    const [last, ...first] = await Promise.all(Array.from({ length: 5 }, () => integrationWith(hanging)));
    const good = await integrationWith(well);
    let ended = 0;
    const callbacks = await Promise.all(first.flatMap((id) => Array.from({ length: 32 }, () => callbackOf(id))));
    const [onLast, refused, linked] = await Promise.all([last, last, good].map(callbackOf));
    const startedMs = Date.now();
    const waiting = [...callbacks, onLast].map((callback) => callback().finally(() => ended++));
    await until(() => tokenRequests() === 129);
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    // All five are slow now with 129 waiting users, so a further user is refused at once.
    expect(await refused()).toContain('cannot be reached at the moment');
    expect(tokenRequests()).toBe(129);
    expect(await linked()).toContain('You are connected');
    expect(ended).toBe(0);
    const others = (await Promise.all(waiting)).filter(
      (page) => !page.includes('cannot be reached at the moment. Please try again in a few minutes.'),
    );
    expect({ others, warnings: others.length > 0 ? warnings() : [] }).toEqual({ others: [], warnings: [] });
    // The profile allows 30 s, but the gateway's timeout is 20 s.
    expect(Date.now() - startedMs).toBeLessThan(20_000);
  }, 60_000);

  it('a user who asks for the current state gets it', async () => {
    hanging.tokenAnswer = null;
    const id = await integrationWith(hanging);
    const browser = await LinkBrowser.of(linkage, freshName('user'));
    await browser.link(id, freshName('sub'));
    const database = new Client({ connectionString: linkage.databaseUrl });
    await database.connect();
    await database.query(`UPDATE linkage.links SET user_info_at = now() - interval '1 hour'`);
    await database.end();
    hanging.userInfoAnswer = () => undefined;
    const startedMs = Date.now();
    expect((await browser.get(`/v1/me/links/${id}?refresh=true`)).json()).toMatchObject({ link: { state: 'ready' } });
    expect(Date.now() - startedMs).toBeLessThan(20_000);
  }, 60_000);

  it('callbacks that wait for the database leave its connections to users and operators', async () => {
    const good = await integrationWith(well);
    const callbacks = await Promise.all(Array.from({ length: 24 }, () => callbackOf(good)));
    // A transaction sees only one snapshot of the statistics, so the observer is not the lock holder.
    const [holder, observer] = [1, 2].map(() => new Client({ connectionString: linkage.databaseUrl }));
    await Promise.all([holder.connect(), observer.connect()]);
    await holder.query('BEGIN');
    // This lock prevents that links are stored.
    await holder.query('LOCK TABLE linkage.links IN EXCLUSIVE MODE');
    try {
      const waiting = callbacks.map((callback) => callback());
      const locked = `SELECT count(*)::int AS n FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
      await until(async () => (await observer.query<{ n: number }>(locked)).rows[0].n >= 6);
      const user = await LinkBrowser.of(linkage, freshName('user'));
      const answers = await Promise.all([
        ...Array.from({ length: 10 }, async () => (await user.get('/v1/me/links')).status),
        ...Array.from({ length: 10 }, async () => (await admin.get('/audit')).status),
        (await user.change('POST', `/v1/me/links/${good}/start`)).status,
      ]);
      expect(answers.filter((status) => status !== 200)).toEqual([]);
      for (const page of await Promise.all(waiting))
        expect(page).toContain('This could not be completed in time. Check your accounts');
    } finally {
      await holder.query('ROLLBACK');
      await Promise.all([holder.end(), observer.end()]);
    }
  }, 60_000);
});

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20));
}
