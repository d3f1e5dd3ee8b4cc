import { topics } from '@podium/messages';
import { freshName } from '@podium/testing';
import { AdminClient, adminClient } from '../test/admin-client';
import { RunningLinkage, startLinkage } from '../test/running-linkage';
import { TopicReader, readTopics } from '../test/read-topics';

const canary = 'canary-secret-9c1f';

describe("the operators' API of linkage", () => {
  let linkage: RunningLinkage;
  let admin: AdminClient;
  let reader: TopicReader;

  beforeAll(async () => {
    linkage = await startLinkage({ PARTNER_ADDRESS_ALLOW_LIST: '127.0.0.1:7405' });
    admin = await adminClient(linkage, { '*': 'admin' });
    reader = await readTopics([topics.integrations, topics.apiKeys]);
  });

  afterAll(async () => {
    await reader?.stop();
    await linkage?.stop();
  });

  function body(changes: Record<string, unknown> = {}): Record<string, unknown> {
    return {
      platform: freshName('p'),
      partner: freshName('partner'),
      organizer_id: 'organizer-1',
      display_name: 'Partner',
      authorization_url: 'https://partner.example/login',
      base_url: 'https://partner.example/',
      client_id: 'podium',
      client_secret: canary,
      ...changes,
    };
  }

  async function created(changes: Record<string, unknown> = {}): Promise<{ integration_id: string; platform: string }> {
    const answer = await admin.post('/integrations', body(changes));
    expect(answer.status).toBe(201);
    return answer.json as never;
  }

  describe('integrations', () => {
    it('returns the onboarding data for the partner, without the secret', async () => {
      const given = body({ client_secret: canary });
      const { status, json, text } = await admin.post('/integrations', given);
      expect(status).toBe(201);
      const id = json.integration_id as string;
      expect(json).toMatchObject({
        platform: given.platform,
        status: 'active',
        version: 1,
        base_url: 'https://partner.example',
        profile: { scope: null, client_auth: 'basic_raw', pkce: true },
        onboarding: {
          platform: given.platform,
          test: {
            redirect_url: `https://test.podium.example/v1/oauth/callback/${id}`,
            send_event_url: 'https://test.podium.example/cdp/v1/users/events/send',
            egress_addresses: ['192.0.2.10'],
          },
          production: {
            redirect_url: `https://podium.example/v1/oauth/callback/${id}`,
            egress_addresses: ['192.0.2.20', '192.0.2.21'],
          },
        },
      });
      expect(text).not.toContain(canary);
      expect((await admin.get(`/integrations/${id}`)).json).toEqual(json);
    });

    it('allows one integration per platform, and one per partner and organizer', async () => {
      const first = body();
      await created(first);
      const samePlatform = await admin.post('/integrations', body({ platform: first.platform }));
      expect(samePlatform).toMatchObject({ status: 409, json: { error: { code: 'conflict' } } });
      expect(samePlatform.text).toContain('platform');
      const samePair = await admin.post('/integrations', body({ partner: first.partner }));
      expect(samePair.status).toBe(409);
      expect(samePair.text).toContain('organizer_id');
      expect((await admin.post('/integrations', body({ partner: first.partner, organizer_id: 'o-2' }))).status).toBe(
        201,
      );
    });

    it.each([
      [{ platform: 'Upper' }, 'platform'],
      [{ platform: 'x' }, 'platform'],
      [{ organizer_id: '*' }, 'organizer_id'],
      [{ organizer_id: ['a'] }, 'organizer_id'],
      [{ partner: ' ' }, 'partner'],
      [{ display_name: 'a\u0000b' }, 'display_name'],
      [{ display_name: null }, 'display_name'],
      [{ base_url: 'http://partner.example' }, 'base_url'],
      [{ authorization_url: 'https://u:p@partner.example' }, 'authorization_url'],
      [{ base_url: 'https://partner.example\\@127.0.0.1' }, 'base_url'],
      [{ base_url: 'https://10.0.0.1' }, 'base_url'],
      [{ authorization_url: 'https://partner.example\\@127.0.0.1/login' }, 'authorization_url'],
      [{ client_id: 'a:b' }, 'client_id'],
      [{ client_secret: '' }, 'client_secret'],
      [{ profile: null }, 'profile'],
      [{ profile: [] }, 'profile'],
      [{ profile: { pkce: null } }, 'profile.pkce'],
      [{ profile: { timeout_ms: 1 } }, 'profile.timeout_ms'],
      [{ profile: { client_auth: 'none' } }, 'profile.client_auth'],
      [{ profile: { issuer: 'https://partner.example/?tenant=7' } }, 'profile.issuer'],
      [{ profile: { issuer: 'partner.example' } }, 'profile.issuer'],
      [{ surprise: 1 }, 'surprise'],
    ])('refuses %j and names the field', async (changes, field) => {
      const answer = await admin.post('/integrations', body(changes));
      expect(answer).toMatchObject({ status: 400, json: { error: { code: 'invalid_request' } } });
      expect((answer.json.error as { message: string }).message).toMatch(new RegExp(`^${field}\\b`));
    });

    it('accepts a plain http address on the allow list and changes only the given fields', async () => {
      const { integration_id: id } = await created({
        base_url: 'http://127.0.0.1:7405',
        profile: { scope: 'user', pkce: false },
      });
      const changed = await admin.patch(`/integrations/${id}`, { profile: { pkce: true }, display_name: 'New' });
      expect(changed.json).toMatchObject({
        display_name: 'New',
        version: 2,
        base_url: 'http://127.0.0.1:7405',
        profile: { scope: 'user', pkce: true },
      });
      const same = await admin.patch(`/integrations/${id}`, { display_name: 'New' });
      expect(same.json.version).toBe(2);
      const stale = await admin.patch(`/integrations/${id}`, { display_name: 'X', expected_version: 1 });
      expect(stale.status).toBe(409);
    });

    it('keeps the former client secret during a rotation', async () => {
      const { integration_id: id } = await created();
      const rotating = await admin.patch(`/integrations/${id}`, { client_secret: `${canary}-2` });
      expect(rotating.json).toMatchObject({ client_secret_rotating: true, version: 2 });
      const ended = await admin.patch(`/integrations/${id}`, { previous_client_secret: null });
      expect(ended.json).toMatchObject({ client_secret_rotating: false, version: 3 });
    });

    it.each([
      [{ base_url: 'https://other.example' }, 'base_url'],
      [{ base_url: 'https://partner.example:8443' }, 'base_url'],
      [{ authorization_url: 'https://login.partner.example/login' }, 'authorization_url'],
    ])('accepts the new origin of %j only with the client secret', async (change, field) => {
      const { integration_id: id } = await created();
      const refused = await admin.patch(`/integrations/${id}`, change);
      expect(refused.status).toBe(400);
      expect((refused.json.error as { message: string }).message).toMatch(new RegExp(`^client_secret: .*${field}`));
      expect((await admin.get(`/integrations/${id}`)).json.version).toBe(1);
      const taken = await admin.patch(`/integrations/${id}`, { ...change, client_secret: canary });
      expect(taken).toMatchObject({ status: 200, json: { version: 2, client_secret_rotating: false } });
    });

    it('accepts another path of the same origin without the secret, and stores addresses as parsed', async () => {
      const { integration_id: id } = await created();
      const change = {
        base_url: 'HTTPS://Partner.Example:443/a/../v2/',
        authorization_url: 'https://partner.example/a b',
      };
      expect((await admin.patch(`/integrations/${id}`, change)).status).toBe(400);
      const taken = await admin.patch(`/integrations/${id}`, { base_url: change.base_url });
      expect(taken).toMatchObject({ status: 200, json: { base_url: 'https://partner.example/v2' } });
    });

    it('publishes pause and resume with growing revisions', async () => {
      const { integration_id: id, platform } = await created();
      await admin.post(`/integrations/${id}/pause`);
      await admin.post(`/integrations/${id}/resume`);
      const records = await reader.records('linkage.integrations.v1', platform, 3);
      expect(records.map(({ data }) => data.status)).toEqual(['active', 'paused', 'active']);
      const revisions = records.map(({ revision }) => revision);
      expect(revisions).toEqual([...revisions].sort((a, b) => a - b));
      expect(new Set(revisions).size).toBe(3);
    });

    it('lists all integrations page by page, each once', async () => {
      for (let n = 0; n < 3; n++) await created();
      const seen: string[] = [];
      let cursor = '';
      do {
        const page = await admin.get(`/integrations?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`);
        seen.push(...(page.json.items as { platform: string }[]).map((item) => item.platform));
        cursor = (page.json.next_cursor as string | null) ?? '';
      } while (cursor !== '');
      const all = await admin.get('/integrations?limit=100');
      expect(seen).toEqual((all.json.items as { platform: string }[]).map((item) => item.platform));
      expect(new Set(seen).size).toBe(seen.length);
    });

    it.each([
      'limit=0',
      'limit=101',
      'limit=1e1',
      'limit=+5',
      'limit=1&limit=2',
      'cursor=%00',
      'cursor=WzFd',
      'offset=1',
    ])('refuses the query %s', async (query) => {
      expect((await admin.get(`/integrations?${query}`)).status).toBe(400);
    });

    it('returns 404 for malformed ids', async () => {
      for (const id of ['x', '%00', '00000000-0000-0000-0000-000000000000'])
        expect((await admin.get(`/integrations/${id}`)).status).toBe(404);
    });
  });

  describe('contracts', () => {
    const deposit = { name: 'deposit', kind: 'repeatable', attributes: [{ name: 'amount', type: 'decimal' }] };
    const money = { name: 'amount', type: 'decimal', currency_attribute: 'currency', currencies: ['EUR', 'USD'] };
    const currency = { name: 'currency', type: 'currency' };
    const moneyEvent = (change: object) => ({ ...deposit, attributes: [{ ...money, ...change }, currency] });

    it('publishes versions that only add or retire names, and reports the invalid name', async () => {
      const { integration_id: id, platform } = await created();
      const path = `/integrations/${id}/contracts`;
      const first = await admin.post(path, { events: [deposit] });
      expect(first).toMatchObject({ status: 201, json: { version: 1, in_force_at: null } });
      for (const [events, sentence] of [
        [[], 'the event "deposit" is missing'],
        [[{ ...deposit, kind: 'one_off' }], 'its kind cannot become one_off'],
        [[{ ...deposit, attributes: [] }], 'the attribute "amount" of "deposit" is missing'],
        [[{ ...deposit, attributes: [{ name: 'amount', type: 'integer' }] }], 'its type cannot become integer'],
        [[deposit, deposit], 'the event "deposit" is listed twice'],
      ] as const) {
        const refused = await admin.post(path, { events });
        expect(refused).toMatchObject({ status: 422, json: { error: { code: 'unprocessable' } } });
        expect(refused.text.replaceAll('\\"', '"')).toContain(sentence);
      }
      const kyc = { name: 'kyc', kind: 'one_off', attributes: [] };
      const second = await admin.post(path, { events: [{ ...deposit, retired: true }, kyc] });
      expect(second.json.version).toBe(2);
      const records = await reader.records('linkage.integrations.v1', platform, 3);
      const published = (records[2].data.contracts as { version: number; events: unknown[] }[]).map((c) => c.version);
      expect(published).toEqual([1, 2]);
      const listed = await admin.get(path);
      expect((listed.json.items as { version: number }[]).map((item) => item.version)).toEqual([2, 1]);
    });

    it.each([
      [{ events: [{ name: '', kind: 'one_off', attributes: [] }] }, 400],
      [{ events: [{ name: 'a', kind: 'often', attributes: [] }] }, 400],
      [{ events: [{ name: 'a', kind: 'one_off' }] }, 400],
      [{ events: [null] }, 400],
      [{ events: [moneyEvent({ currencies: [] })] }, 400],
      [{ events: [moneyEvent({ currencies: ['eur'] })] }, 400],
      [{ events: [moneyEvent({ currencies: 'ABCDEFGHI'.split('').map((each) => `${each}AA`) })] }, 400],
      [{ events: [moneyEvent({ currency_attribute: '' })] }, 400],
      [{ events: [moneyEvent({ non_negative: 'yes' })] }, 400],
      [{ events: [moneyEvent({ currency_attribute: 'unit' })] }, 422],
      [{ events: {} }, 400],
      [{}, 400],
      [{ events: [], in_force_from: 'tomorrow' }, 400],
      [{ events: [], in_force_from: '2001-01-01T00:00:00Z' }, 422],
    ])('refuses %j', async (given, status) => {
      const { integration_id: id } = await created();
      expect((await admin.post(`/integrations/${id}/contracts`, given)).status).toBe(status);
    });

    it('publishes what money is, and returns it', async () => {
      const { integration_id: id, platform } = await created();
      const event = moneyEvent({ non_negative: true });
      const path = `/integrations/${id}/contracts`;
      expect((await admin.post(path, { events: [event] })).json.events).toEqual([event]);
      const records = await reader.records('linkage.integrations.v1', platform, 2);
      expect(records[1].data.contracts).toMatchObject([{ events: [event] }]);
      expect((await admin.post(path, { events: [moneyEvent({})] })).status).toBe(422);
    });

    it('puts a version in force once every live instance has committed past its record', async () => {
      const { integration_id: id } = await created();
      const path = `/integrations/${id}/contracts`;
      await reader.beLiveViews(topics.integrations);
      await admin.post(path, { events: [deposit] });
      await expect(until(async () => (await latest(path)).in_force_at !== null)).resolves.toBeUndefined();
    });

    it('does not confirm a version whose time has not come', async () => {
      const { integration_id: id } = await created();
      const path = `/integrations/${id}/contracts`;
      const from = new Date(Date.now() + 60_000).toISOString();
      expect((await admin.post(path, { events: [deposit], in_force_from: from })).json.in_force_from).toBe(from);
      await new Promise((resolve) => setTimeout(resolve, 1500));
      expect((await latest(path)).in_force_at).toBeNull();
    });

    async function latest(path: string): Promise<{ in_force_at: string | null }> {
      return ((await admin.get(path)).json.items as { in_force_at: string | null }[])[0];
    }
  });

  describe('keys', () => {
    it('allows two live keys, refuses a third, and publishes a revocation to the gateway', async () => {
      const { integration_id: id, platform } = await created();
      const path = `/integrations/${id}/keys`;
      const first = await admin.post(path, {});
      const second = await admin.post(path, { not_after: new Date(Date.now() + 3_600_000).toISOString() });
      expect(first.status).toBe(201);
      expect(first.json.key).toMatch(/^podium_test_ev_[0-9a-z]{16}_/);
      expect((await admin.post(path, {})).status).toBe(409);
      const keyId = first.json.key_id as string;
      expect((await admin.post(`/keys/${keyId}/revoke`)).json).toMatchObject({ state: 'revoked' });
      expect((await admin.post(`/keys/${keyId}/revoke`)).status).toBe(200);
      expect((await admin.post(path, {})).status).toBe(201);
      expect((await admin.post(`/keys/${keyId}/expire`, { not_after: '2099-01-01T00:00:00Z' })).status).toBe(409);
      const records = await reader.records('linkage.api-keys.v1', keyId, 2);
      expect(records[0].data).toMatchObject({ platform, kind: 'event', rate_per_second: 40, revoked_at: null });
      expect(typeof records[1].data.revoked_at).toBe('number');
      const listed = await admin.get(`${path}?limit=2`);
      expect(listed.json.items).toHaveLength(2);
      const rest = await admin.get(`${path}?limit=2&cursor=${listed.json.next_cursor as string}`);
      expect((rest.json.items as { key_id: string }[]).map((item) => item.key_id)).toEqual([keyId]);
      expect(rest.json.next_cursor).toBeNull();
      for (const secret of [first.json.key, second.json.key] as string[]) {
        expect(listed.text + rest.text).not.toContain(secret);
        expect(reader.everything()).not.toContain(secret);
      }
    });

    it('replaces a key by a new one, and the former expires', async () => {
      const { integration_id: id, platform } = await created();
      const first = (await admin.post(`/integrations/${id}/keys`, {})).json.key_id as string;
      const rotated = await admin.post(`/keys/${first}/rotate`, { overlap_seconds: 60 });
      expect(rotated.status).toBe(201);
      const second = rotated.json.key_id as string;
      const [record] = await reader.records('linkage.api-keys.v1', second, 1);
      expect(record.data).toMatchObject({ platform, kind: 'event', rate_per_second: 40, not_after: null });
      const ending = await reader.records('linkage.api-keys.v1', first, 2);
      expect(ending.map(({ data }) => typeof data.not_after)).toEqual(['object', 'number']);
      // Two keys are live already.
      expect((await admin.post(`/keys/${second}/rotate`, {})).status).toBe(409);
    });

    it('allows only two of many concurrent requests to create a key', async () => {
      const { integration_id: id } = await created();
      const answers = await Promise.all(Array.from({ length: 6 }, () => admin.post(`/integrations/${id}/keys`, {})));
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409, 409]);
    });
  });

  describe('roles per organizer', () => {
    it('lets viewers read, editors change contracts and pause, admins manage; others see nothing', async () => {
      const { integration_id: id } = await created({ organizer_id: 'organizer-7' });
      const as = (role: string, organizer = 'organizer-7') => adminClient(linkage, { [organizer]: role });
      const viewer = await as('viewer');
      const editor = await as('editor');
      const manager = await as('admin');
      const stranger = await as('admin', 'organizer-8');
      const base = `/integrations/${id}`;
      const statuses = async (client: AdminClient) => [
        (await client.get(base)).status,
        (await client.post(`${base}/pause`)).status,
        (await client.post(`${base}/contracts`, { events: [] })).status,
        (await client.patch(base, { display_name: 'N' })).status,
        (await client.post(`${base}/keys`, {})).status,
      ];
      expect(await statuses(viewer)).toEqual([200, 403, 403, 403, 403]);
      expect(await statuses(editor)).toEqual([200, 200, 201, 403, 403]);
      expect(await statuses(manager)).toEqual([200, 200, 201, 200, 201]);
      expect(await statuses(stranger)).toEqual([404, 404, 404, 404, 404]);
      expect((await stranger.post('/integrations', body({ organizer_id: 'organizer-7' }))).status).toBe(403);
      expect((await stranger.get('/integrations')).json.items).toEqual([]);
      expect((await stranger.get('/audit')).json.items).toEqual([]);
      expect((await stranger.get('/audit?organizer_id=organizer-7')).status).toBe(403);
      const actions = ((await viewer.get('/audit')).json.items as { action: string; actor: string }[]).map(
        (e) => e.action,
      );
      expect(actions).toContain('key.created');
      expect(actions).toContain('integration.paused');
    });

    it('refuses callers who are not operators, and requests that bypass the gateway', async () => {
      const url = `${linkage.url}/admin/v1/integrations`;
      const authorization = `Bearer ${await linkage.operatorToken({ '*': 'admin' })}`;
      const user = `Bearer ${await linkage.userToken('user-1')}`;
      const internal = { 'x-podium-internal-token': linkage.internalToken };
      expect((await fetch(url, { headers: { authorization } })).status).toBe(401);
      expect((await fetch(url, { headers: internal })).status).toBe(401);
      expect((await fetch(url, { headers: { ...internal, authorization: user } })).status).toBe(403);
    });
  });

  it('writes no secret to topics, audit or log', async () => {
    const audit = await admin.get('/audit?limit=100');
    expect(audit.json.items).not.toHaveLength(0);
    for (const output of [audit.text, reader.everything(), linkage.logged.join('\n')])
      expect(output).not.toContain(canary);
  });
});

async function until(holds: () => Promise<boolean>, timeoutMs = 15_000): Promise<void> {
  for (const end = Date.now() + timeoutMs; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 100)))
    if (await holds()) return;
  throw new Error('timed out: the condition did not become true');
}
