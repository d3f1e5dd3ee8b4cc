import { createPool } from '@podium/runtime/postgres';
import { createLog } from '@podium/runtime/log';
import { Registry } from '@podium/runtime/metrics';
import { AdminClient, adminClient, createIntegration } from '../test/admin-client';
import { RunningLinkage, startLinkage } from '../test/running-linkage';

const forged = (...key: readonly unknown[]): string => Buffer.from(JSON.stringify(key)).toString('base64url');
const { MAX_SAFE_INTEGER: largest } = Number;

/** Keys that have the types of a list's own, and values that its columns cannot have. */
const keys: Readonly<Record<string, readonly (readonly unknown[])[]>> = {
  '/integrations': [['\0'], ['\ud800']],
  '/integrations/:id/contracts': [[largest], [-largest]],
  '/integrations/:id/keys': [
    [-8.64e15, 'x'],
    [8.64e15, 'x'],
    [largest, 'x'],
  ],
  '/keys': [
    [-8.64e15, 'x'],
    [8.64e15, 'x'],
    [largest, 'x'],
  ],
  '/links': [['-'.repeat(36)], [`${'0'.repeat(36)}`], ['00000000-0000-4000-8000-00000000000A-']],
};
/** Columns that hold every number of a cursor. */
const ofEveryNumber = ['/audit', '/integrations/:id/exchanges', '/integrations/:id/refreshes'];

describe('cursors of lists for operators', () => {
  let linkage: RunningLinkage;
  let admin: AdminClient;
  let integrationId: string;

  beforeAll(async () => {
    linkage = await startLinkage();
    admin = await adminClient(linkage, { '*': 'admin' });
    const partner = { baseUrl: 'https://partner.example', clientId: 'podium', clientSecret: 'canary-secret' };
    ({ integrationId } = await createIntegration(admin, partner));
  }, 60_000);
  afterAll(() => linkage?.stop());

  const page = (path: string, key: readonly unknown[]) =>
    admin.get(`${path.replace(':id', integrationId)}?cursor=${forged(...key)}`);

  it.each(Object.entries(keys).flatMap(([path, ofPath]) => ofPath.map((key) => [path, JSON.stringify(key), key])))(
    'of %s are refused when they were not issued: %s',
    async (path, _text, key) => {
      expect(await page(path as string, key as readonly unknown[])).toMatchObject({
        status: 400,
        json: { error: { code: 'invalid_request', message: expect.stringContaining('next_cursor') as string } },
      });
    },
  );

  it.each(ofEveryNumber)('of %s lead to an empty page, or to the first', async (path) => {
    for (const number of [largest, -largest]) expect(await page(path, [number])).toMatchObject({ status: 200 });
  });

  it('of keys and links lead to the next page', async () => {
    const pool = createPool(
      { url: linkage.databaseUrl, size: 1, service: 'spec' },
      createLog({ service: 'test', instance: 'test', level: 'silent' }),
      new Registry(),
    );
    try {
      for (const user of ['a', 'b'])
        await pool.query(
          `INSERT INTO linkage.links (link_id, integration_id, platform, organizer_id, user_id, sub, nickname, state, linked_at,
             version) VALUES (gen_random_uuid(), $1, 'p', 'organizer-1', $2, $2, 'n', 'ready', now(), 1)`,
          [integrationId, user],
        );
    } finally {
      await pool.end();
    }
    for (const name of ['first', 'second'])
      expect((await admin.post('/keys', { name, scopes: [{ scope: 'data:read' }] })).status).toBe(201);
    for (const [path, field] of [
      ['/keys', 'key_id'],
      ['/links', 'link_id'],
    ]) {
      const pages = [await admin.get(`${path}?limit=1`)];
      pages.push(await admin.get(`${path}?limit=1&cursor=${pages[0].json.next_cursor as string}`));
      const items = pages.flatMap(({ json }) => json.items as Record<string, string>[]);
      expect(new Set(items.map((item) => item[field])).size).toBe(2);
    }
  });
});
