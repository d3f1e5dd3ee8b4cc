import { Client } from 'pg';
import { hashKey, parseKey, parseUuidKey, topics } from '@podium/messages';
import { AdminAnswer, AdminClient, adminClient } from '../../../test/admin-client';
import { TopicReader, readTopics } from '../../../test/read-topics';
import { RunningLinkage, startLinkage } from '../../../test/running-linkage';

const read = { scope: 'data:read' };
const developer = { scope: 'queues:developer', game_ids: ['cs2', 'dota2'] };
const organizer = (...organizer_ids: string[]) => ({ scope: 'queues:organizer', organizer_ids });

describe('data keys', () => {
  let linkage: RunningLinkage;
  let admin: AdminClient;
  let reader: TopicReader;

  beforeAll(async () => {
    linkage = await startLinkage();
    admin = await adminClient(linkage, { '*': 'admin' });
    reader = await readTopics([topics.apiKeys]);
  });
  afterAll(async () => {
    await reader?.stop();
    await linkage?.stop();
  });

  let named = 0;
  const make = (client: AdminClient, changes: Record<string, unknown> = {}): Promise<AdminAnswer> =>
    client.post('/keys', { name: `bot ${++named}`, scopes: [read], ...changes });
  const messageOf = ({ json }: AdminAnswer): string => (json.error as { message: string }).message;

  it('are created with their own scopes and rate, shown once, and published as a hash', async () => {
    const scopes = [read, developer, organizer('o-1')];
    const bounds = { rate_per_second: 1000, not_after: '2099-01-01T00:00:00Z' };
    const made = await make(admin, { name: 'a bot', scopes, ...bounds });
    expect(made.status).toBe(201);
    const { key, key_id: keyId } = made.json as { key: string; key_id: string };
    expect(parseKey(key)).toEqual({ environment: 'test', kind: 'dt', keyId });
    expect(made.json).toMatchObject({
      kind: 'data',
      format: 'podium',
      name: 'a bot',
      scopes,
      rate_per_second: 1000,
      organizer_id: null,
      state: 'live',
      not_after: '2099-01-01T00:00:00.000Z',
    });
    const [record] = await reader.records('linkage.api-keys.v1', keyId, 1);
    expect(record.data).toEqual({
      key_id: keyId,
      kind: 'data',
      format: 'podium',
      hash: hashKey(key),
      integration_id: null,
      platform: null,
      scopes,
      rate_per_second: 1000,
      not_after: Date.parse('2099-01-01T00:00:00Z'),
      revoked_at: null,
    });
    const audit = await admin.get(`/audit?subject=key:${keyId}`);
    expect(audit.json.items).toMatchObject([{ action: 'key.created', detail: { scopes, rate_per_second: 1000 } }]);
    for (const output of [audit.text, reader.everything(), linkage.logged.join('\n'), (await admin.get('/keys')).text])
      expect(output).not.toContain(key);
  });

  it('have a default rate of ten requests per second', async () => {
    expect((await make(admin)).json).toMatchObject({ rate_per_second: 10, scopes: [read], not_after: null });
  });

  it('can be a UUID of version 4', async () => {
    const { json } = await make(admin, { format: 'uuid' });
    const key = json.key as string;
    expect(parseUuidKey(key)).toBe(key);
    expect(json).toMatchObject({ format: 'uuid', key_id: expect.stringMatching(/^[0-9a-z]{16}$/) as string });
    const [record] = await reader.records('linkage.api-keys.v1', json.key_id as string, 1);
    expect(record.data.hash).toBe(hashKey(key));
  });

  it('end by revocation or expiry, which is published to the gateway', async () => {
    const keyId = (await make(admin)).json.key_id as string;
    const notAfter = '2098-01-01T00:00:00.000Z';
    expect((await admin.post(`/keys/${keyId}/expire`, { not_after: notAfter })).json).toMatchObject({
      not_after: notAfter,
      state: 'live',
    });
    expect((await admin.post(`/keys/${keyId}/revoke`)).json).toMatchObject({ state: 'revoked', kind: 'data' });
    const records = await reader.records('linkage.api-keys.v1', keyId, 3);
    expect(records.map(({ data }) => [data.not_after, data.revoked_at])).toEqual([
      [null, null],
      [Date.parse(notAfter), null],
      [Date.parse(notAfter), expect.any(Number)],
    ]);
  });

  it('are rotated to a key with the same rights, and expire after the overlap', async () => {
    const scopes = [read, organizer('o-1')];
    const made = await make(admin, { scopes, rate_per_second: 77, format: 'uuid', organizer_id: 'o-1', name: 'site' });
    const keyId = made.json.key_id as string;
    const beforeMs = Date.now();
    const rotated = await admin.post(`/keys/${keyId}/rotate`, { overlap_seconds: 3600 });
    expect(rotated.status).toBe(201);
    const { key, key_id: newId } = rotated.json as { key: string; key_id: string };
    expect([parseUuidKey(key), newId === keyId]).toEqual([key, false]);
    expect(rotated.json).toMatchObject({
      scopes,
      rate_per_second: 77,
      format: 'uuid',
      organizer_id: 'o-1',
      name: 'site',
      not_after: null,
      state: 'live',
    });
    const [record] = await reader.records('linkage.api-keys.v1', newId, 1);
    expect(record.data).toMatchObject({ hash: hashKey(key), scopes, not_after: null });
    const formerEndMs = (await reader.records('linkage.api-keys.v1', keyId, 2))[1].data.not_after as number;
    expect(formerEndMs).toBeGreaterThanOrEqual(beforeMs + 3_600_000);
    expect(formerEndMs).toBeLessThanOrEqual(Date.now() + 3_600_000);
    const audit = await admin.get(`/audit?subject=key:${keyId}`);
    expect((audit.json.items as { action: string }[]).map(({ action }) => action)).toEqual([
      'key.rotated',
      'key.created',
    ]);
  });

  it('are not created or rotated again by a request that is repeated after a lost answer', async () => {
    const body = { name: 'lost', organizer_id: 'o-1' };
    const both = await Promise.all([make(admin, body), make(admin, body)]);
    const [made, refused] = both.sort((a, b) => a.status - b.status);
    const keyId = made.json.key_id as string;
    expect([made.status, refused.status, messageOf(refused)]).toEqual([201, 409, expect.stringContaining(keyId)]);
    // Another owner's, or with another name.
    for (const other of [{ ...body, organizer_id: 'o-2' }, { name: 'lost' }, { ...body, name: 'Lost' }])
      expect((await make(admin, other)).status).toBe(201);

    const rotated = await admin.post(`/keys/${keyId}/rotate`, {});
    const newId = rotated.json.key_id as string;
    for (const [id, other] of [
      [keyId, newId],
      [newId, keyId],
    ])
      expect(await admin.post(`/keys/${id}/rotate`, {})).toMatchObject({
        status: 409,
        json: { error: { message: expect.stringContaining(other) as string } },
      });
    await admin.post(`/keys/${newId}/revoke`);
    expect((await admin.post(`/keys/${keyId}/rotate`, {})).status).toBe(201);
    for (const { key_id: id } of (await admin.get('/keys?organizer_id=o-1')).json.items as { key_id: string }[])
      await admin.post(`/keys/${id}/revoke`);
    expect((await make(admin, body)).status).toBe(201);
  });

  it('live again by a later expiry only while no other key of their name is live', async () => {
    const body = { name: 'expired', organizer_id: 'o-1' };
    const former = (await make(admin, body)).json.key_id as string;
    const database = new Client({ connectionString: linkage.databaseUrl });
    await database.connect();
    await database.query(`UPDATE linkage.api_keys SET not_after = now() - interval '1 s' WHERE key_id = $1`, [former]);
    await database.end();
    const next = (await make(admin, body)).json.key_id as string;
    const later = (): Promise<AdminAnswer> =>
      admin.post(`/keys/${former}/expire`, { not_after: '2099-01-01T00:00:00Z' });
    const refused = await later();
    expect([refused.status, messageOf(refused)]).toEqual([409, expect.stringContaining(next)]);
    await admin.post(`/keys/${next}/revoke`);
    expect(await later()).toMatchObject({ status: 200, json: { state: 'live' } });
  });

  it('keep an earlier expiry in a rotation, and cannot be rotated after it', async () => {
    const soon = new Date(Date.now() + 60_000).toISOString();
    const keyId = (await make(admin, { not_after: soon })).json.key_id as string;
    expect((await admin.post(`/keys/${keyId}/rotate`, {})).status).toBe(201);
    const listed = (await admin.get('/keys?limit=100')).json.items as { key_id: string; not_after: string }[];
    expect(listed.find(({ key_id }) => key_id === keyId)?.not_after).toBe(soon);
    await admin.post(`/keys/${keyId}/revoke`);
    expect((await admin.post(`/keys/${keyId}/rotate`, {})).status).toBe(409);
    for (const overlap_seconds of [0, 0.5, 7_776_001, '60'])
      expect((await admin.post(`/keys/${keyId}/rotate`, { overlap_seconds })).status).toBe(400);
  });

  it('are not shown again to operators who could not have created them', async () => {
    const own = await adminClient(linkage, { 'o-7': 'admin', 'o-8': 'editor' });
    const foreign = await make(admin, { organizer_id: 'o-7', scopes: [organizer('o-9')] });
    const refused = await own.post(`/keys/${foreign.json.key_id as string}/rotate`, {});
    expect([refused.status, messageOf(refused).includes('o-9')]).toEqual([403, true]);
    const hidden = await make(admin, { organizer_id: 'o-9' });
    expect((await own.post(`/keys/${hidden.json.key_id as string}/rotate`, {})).status).toBe(404);
  });

  it('are listed newest first, page by page, without event keys', async () => {
    const made: string[] = [];
    for (let count = 0; count < 3; count += 1)
      made.unshift((await make(admin, { organizer_id: 'paged' })).json.key_id as string);
    const first = await admin.get('/keys?limit=2&organizer_id=paged');
    const rest = await admin.get(`/keys?limit=2&organizer_id=paged&cursor=${first.json.next_cursor as string}`);
    const items = [first, rest].flatMap(({ json }) => json.items as { key_id: string; kind: string }[]);
    expect(items.map(({ key_id }) => key_id)).toEqual(made);
    expect(rest.json.next_cursor).toBeNull();
  });

  it.each([
    ['no scope', { scopes: [] }, 'scopes'],
    ['no list of scopes', { scopes: read }, 'scopes'],
    ['null for a scope', { scopes: [null] }, 'scopes'],
    ['a list for a scope', { scopes: [[read]] }, 'scopes'],
    ['an unknown scope', { scopes: [{ scope: 'data:write' }] }, 'scopes[0].scope'],
    ['a scope twice', { scopes: [read, read] }, 'scopes'],
    ['games at data:read', { scopes: [{ ...read, game_ids: ['cs2'] }] }, 'scopes[0].game_ids'],
    ['a developer without games', { scopes: [{ scope: 'queues:developer' }] }, 'scopes[0].game_ids'],
    ['a developer of no game', { scopes: [{ ...developer, game_ids: [] }] }, 'scopes[0].game_ids'],
    ['a game id with a comma', { scopes: [{ ...developer, game_ids: ['cs2,dota2'] }] }, 'scopes[0].game_ids'],
    ['a game id that is a number', { scopes: [{ ...developer, game_ids: [7] }] }, 'scopes[0].game_ids'],
    ['101 organizers', { scopes: [organizer(...Array.from({ length: 101 }, (_, at) => `o${at}`))] }, 'organizer_ids'],
    ['an organizer id of 65 letters', { scopes: [organizer('o'.repeat(65))] }, 'scopes[0].organizer_ids'],
    ['a rate of 0', { rate_per_second: 0 }, 'rate_per_second'],
    ['a rate of 10001', { rate_per_second: 10_001 }, 'rate_per_second'],
    ['half a request', { rate_per_second: 0.5 }, 'rate_per_second'],
    ['no name', { name: undefined }, 'name'],
    ['a blank name', { name: ' ' }, 'name'],
    ['another format', { format: 'jwt' }, 'format'],
    ['an invalid time', { not_after: 'soon' }, 'not_after'],
    ['null for an organizer', { organizer_id: null }, 'organizer_id'],
    ['an unknown field', { kind: 'event' }, 'kind'],
  ])('are refused with %s', async (_name, changes, field) => {
    const refused = await make(admin, changes);
    expect([refused.status, messageOf(refused).includes(field)]).toEqual([400, true]);
  });

  it('are refused with an expiry in the past', async () => {
    expect((await make(admin, { not_after: '2020-01-01T00:00:00Z' })).status).toBe(422);
  });

  describe('roles per organizer', () => {
    it("lets an organizer's admin create and revoke keys only for that organizer and its queues", async () => {
      const own = await adminClient(linkage, { 'o-7': 'admin', 'o-8': 'editor' });
      const made = await make(own, { organizer_id: 'o-7', scopes: [read, organizer('o-7')] });
      expect(made.status).toBe(201);
      const attempts: [Record<string, unknown>, string][] = [
        [{}, ''],
        [{ organizer_id: 'o-8' }, ''],
        [{ organizer_id: 'o-9' }, ''],
        [{ organizer_id: 'o-7', scopes: [organizer('o-7', 'o-8')] }, 'o-8'],
        [{ organizer_id: 'o-7', scopes: [read, organizer('o-9')] }, 'scopes[1]'],
        [{ organizer_id: 'o-7', scopes: [developer] }, 'queues:developer'],
      ];
      for (const [changes, named] of attempts) {
        const refused = await make(own, changes);
        expect([refused.status, messageOf(refused).includes(named)]).toEqual([403, true]);
      }
      expect((await own.post(`/keys/${made.json.key_id as string}/revoke`)).status).toBe(200);
    });

    it('shows each operator the keys of their organizers, and operators of the whole service its own keys', async () => {
      const ids: Record<string, string> = {};
      for (const organizer_id of ['seen-1', 'seen-2', undefined])
        ids[organizer_id ?? '*'] = (await make(admin, { organizer_id })).json.key_id as string;
      const viewer = await adminClient(linkage, { 'seen-1': 'viewer' });
      const listed = ((await viewer.get('/keys')).json.items as { key_id: string }[]).map(({ key_id }) => key_id);
      expect(listed).toEqual([ids['seen-1']]);
      expect((await viewer.get('/keys?organizer_id=seen-2')).status).toBe(403);
      const everything = ((await admin.get('/keys')).json.items as { key_id: string }[]).map(({ key_id }) => key_id);
      expect(everything).toEqual(expect.arrayContaining(Object.values(ids)));
      const statuses = [ids['seen-1'], ids['seen-2'], ids['*']].map(
        async (id) => (await viewer.post(`/keys/${id}/revoke`)).status,
      );
      expect(await Promise.all(statuses)).toEqual([403, 404, 404]);
    });
  });
});
