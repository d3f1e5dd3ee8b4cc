import { LinkData } from '@podium/messages';
import { createLog } from '@podium/runtime/log';
import { Registry } from '@podium/runtime/metrics';
import { Pool, createPool, inTransaction } from '@podium/runtime/postgres';
import { FreshDatabase, freshDatabase } from '@podium/testing';
import { linkRecord } from '../../links/link';
import { migrations, schema } from '../../migrations';
import { readNewestLinks } from '../republish/republish.store';
import { takeActive, takeEnded } from './restore-links';

const integrationId = '00000000-0000-4000-8000-000000000001';
const beforeS = 1_800_000_000;
const sinceS = beforeS + 60;

describe('links read from their topic', () => {
  let database: FreshDatabase;
  let pool: Pool;

  beforeAll(async () => {
    database = await freshDatabase({ schema, migrations });
    const logger = createLog({ service: 'test', instance: 'test', level: 'silent' });
    pool = createPool({ url: database.url, size: 2, service: 'test' }, logger, new Registry());
    await pool.query(
      `INSERT INTO linkage.integrations (integration_id, platform, partner, organizer_id, display_name, status,
         authorization_url, base_url, client_id, client_secret_enc, profile, version)
       VALUES ($1, 'acme', 'Acme', 'organizer-1', 'Acme', 'active', '', '', '', '', '{}', 1)`,
      [integrationId],
    );
  });

  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  beforeEach(async () => {
    const tables = ['links', 'link_tokens', 'token_refreshes', 'token_revocations', 'outbox', 'audit'];
    await pool.query(`TRUNCATE ${tables.map((table) => `linkage.${table}`).join(', ')}`);
  });

  it('of the same grant stay unchanged, with their tokens', async () => {
    await insertLink('sub-1', 'user-1', 'ready', beforeS);
    expect(await apply([stateOf('sub-1', 'user-1', 'ready', beforeS)])).toEqual({
      ended: 0,
      broughtBack: 0,
      moved: 0,
      refused: [],
    });
    expect(await links()).toEqual(['sub-1 user-1 ready with tokens']);
    expect(await published()).toEqual([]);
  });

  it('of a later grant, or of unknown users, are restored once, without tokens', async () => {
    await insertLink('sub-1', 'user-1', 'ready', beforeS);
    await insertLink('sub-2', 'user-2', 'unlinked', beforeS);
    const states = [
      stateOf('sub-1', 'user-1', 'ready', sinceS),
      stateOf('sub-2', 'user-2', 'linking', sinceS),
      stateOf('sub-3', 'user-3', 'ready', sinceS),
    ];
    expect(await apply(states)).toMatchObject({ broughtBack: 3, refused: [] });
    const expected = ['sub-1 user-1 needs_reauth', 'sub-2 user-2 needs_reauth', 'sub-3 user-3 needs_reauth'];
    expect(await links()).toEqual(expected);
    expect(await published()).toEqual(expected);
    const again = states.map((state) => ({ ...state, state: 'needs_reauth' as const }));
    expect(await apply(again)).toMatchObject({ broughtBack: 0, moved: 0 });
  });

  it('that ended are ended, so that another user of the account and another account of the user can be restored', async () => {
    await insertLink('sub-1', 'user-1', 'ready', beforeS);
    await insertLink('sub-2', 'user-2', 'ready', beforeS);
    const applied = await apply([
      stateOf('sub-1', 'user-9', 'ready', sinceS),
      stateOf('sub-2', 'user-2', 'unlinked', beforeS),
      stateOf('sub-0', 'user-2', 'ready', sinceS),
    ]);
    expect(applied).toMatchObject({ ended: 2, broughtBack: 2, refused: [] });
    expect(await links()).toEqual([
      'sub-0 user-2 needs_reauth',
      'sub-1 user-1 unlinked',
      'sub-1 user-9 needs_reauth',
      'sub-2 user-2 unlinked',
    ]);
    // States that are already in the topic are not published again.
    expect(await published()).toEqual(['sub-0 user-2 needs_reauth', 'sub-1 user-9 needs_reauth']);
  });

  it('that need a log-in still need it; for other states linkage keeps its own state', async () => {
    await insertLink('sub-1', 'user-1', 'ready', beforeS);
    await insertLink('sub-2', 'user-2', 'ready', beforeS);
    const states = [
      stateOf('sub-1', 'user-1', 'needs_reauth', beforeS),
      stateOf('sub-2', 'user-2', 'refreshing', beforeS),
    ];
    expect(await apply(states)).toMatchObject({ moved: 2, broughtBack: 0 });
    expect(await links()).toEqual(['sub-1 user-1 needs_reauth with tokens', 'sub-2 user-2 ready with tokens']);
    expect(await published()).toEqual(['sub-2 user-2 ready']);
  });

  it('end when the topic says, so that they are published with that time', async () => {
    await insertLink('sub-1', 'user-1', 'ready', beforeS);
    await insertLink('sub-2', 'user-2', 'ready', beforeS);
    await insertLink('sub-3', 'user-3', 'ready', beforeS);
    const unlinked = { ...stateOf('sub-1', 'user-1', 'unlinked', beforeS), unlinked_at: beforeS + 30 };
    const unknown = { ...stateOf('sub-4', 'user-4', 'unlinked', beforeS), unlinked_at: beforeS + 40 };
    const ofReleaseBefore = stateOf('sub-3', 'user-3', 'unlinked', beforeS);
    await apply([unlinked, unknown, ofReleaseBefore, stateOf('sub-2', 'user-9', 'ready', sinceS)]);
    const ends = await inTransaction(pool, (tx) => readNewestLinks(tx, null, 10));
    expect(ends.map((link) => (linkRecord(link).data as LinkData).unlinked_at)).toEqual([
      beforeS + 30,
      undefined,
      expect.any(Number),
      beforeS + 40,
    ]);
    const { rows } = await pool.query<{ at: number }>(
      `SELECT extract(epoch FROM unlink_requested_at)::float8 AS at FROM linkage.links WHERE user_id = 'user-2'`,
    );
    expect(rows).toEqual([{ at: sinceS }]);
  });

  it('that ended are revoked at the partner, which may not know of it', async () => {
    await insertLink('sub-1', 'user-1', 'ready', beforeS);
    await insertLink('sub-2', 'user-2', 'ready', beforeS);
    await pool.query(`UPDATE linkage.integrations SET profile = '{"revocation_path":"/oauth2/revoke"}'`);
    await apply([stateOf('sub-1', 'user-1', 'unlinked', beforeS), stateOf('sub-2', 'user-2', 'ready', beforeS)]);
    await pool.query(`UPDATE linkage.integrations SET profile = '{}'`);
    const { rows } = await pool.query('SELECT link_id, access_token_enc FROM linkage.token_revocations');
    expect(rows).toEqual([{ link_id: linkIdOf('sub-1'), access_token_enc: 'sealed' }]);
    expect(await links()).toEqual(['sub-1 user-1 unlinked', 'sub-2 user-2 ready with tokens']);
  });

  it('without an integration, or in conflict with another link of the user, are listed and skipped', async () => {
    await insertLink('sub-1', 'user-1', 'ready', beforeS);
    const unknownIntegration = {
      ...stateOf('sub-8', 'user-8', 'ready', sinceS),
      integration_id: integrationId.replace('1', '2'),
    };
    expect(await apply([stateOf('sub-7', 'user-1', 'ready', sinceS), unknownIntegration])).toMatchObject({
      broughtBack: 0,
      refused: ['acme sub-7', 'acme sub-8'],
    });
    expect(await links()).toEqual(['sub-1 user-1 ready with tokens']);
  });

  function apply(states: readonly LinkData[]) {
    return inTransaction(pool, async (tx) => ({
      ended: await takeEnded(tx, states, 'spec'),
      ...(await takeActive(tx, states, 'spec')),
    }));
  }

  async function insertLink(sub: string, userId: string, state: LinkData['state'], linkedAtS: number): Promise<void> {
    const linkId = linkIdOf(sub);
    await pool.query(
      `INSERT INTO linkage.links
         (link_id, integration_id, platform, organizer_id, user_id, sub, nickname, state, linked_at, version)
       VALUES ($1, $2, 'acme', 'organizer-1', $3, $4, $4, $5, to_timestamp($6 + 0.5), 1)`,
      [linkId, integrationId, userId, sub, state, linkedAtS],
    );
    if (state !== 'unlinked')
      await pool.query(
        `INSERT INTO linkage.link_tokens (link_id, version, access_token_enc) VALUES ($1, 1, 'sealed')`,
        [linkId],
      );
  }

  async function links(): Promise<string[]> {
    const { rows } = await pool.query<{ text: string }>(
      `SELECT sub || ' ' || user_id || ' ' || state || CASE WHEN t.link_id IS NULL THEN '' ELSE ' with tokens' END AS text
       FROM linkage.links LEFT JOIN linkage.link_tokens AS t USING (link_id) ORDER BY 1`,
    );
    return rows.map(({ text }) => text);
  }

  async function published(): Promise<string[]> {
    const { rows } = await pool.query<{ data: string }>('SELECT data FROM linkage.outbox ORDER BY key');
    return rows.map(({ data }) => {
      const { platform_user_id, user_id, state } = JSON.parse(data) as LinkData;
      return `${platform_user_id} ${user_id} ${state}`;
    });
  }
});

function stateOf(sub: string, userId: string, state: LinkData['state'], linkedAtS: number): LinkData {
  return {
    link_id: linkIdOf(`${sub}-${userId}`),
    integration_id: integrationId,
    platform: 'acme',
    platform_user_id: sub,
    user_id: userId,
    organizer_id: 'organizer-1',
    state,
    linked_at: linkedAtS,
  };
}

/** A UUID derived from a text. */
function linkIdOf(text: string): string {
  return `00000000-0000-4000-8000-${Buffer.from(text).toString('hex').padStart(12, '0').slice(-12)}`;
}
