import { LinkData, parseKey, parseUuidKey, topics } from '@podium/messages';
import { createLog } from '@podium/runtime/log';
import { Registry } from '@podium/runtime/metrics';
import { PublishedRecord } from '@podium/runtime/outbox';
import { Pool, createPool, dataSourceOptions, inTransaction } from '@podium/runtime/postgres';
import { FreshDatabase, freshDatabase } from '@podium/testing';
import { DataSource } from 'typeorm';
import { ApiKey } from '../../entities/api-key.entity';
import { Integration } from '../../entities/integration.entity';
import { IntegrationStore } from '../../integrations/integration.store';
import { KeyRotationService } from '../../keys/rotation/key-rotation.service';
import { migrations, schema } from '../../migrations';
import { repairLostCommits } from './repair-lost-commits';

const integrationId = '00000000-0000-4000-8000-000000000001';
const linkedAtS = 1_800_000_000;

describe('repairLostCommits', () => {
  let database: FreshDatabase;
  let pool: Pool;
  let revision = 0;

  beforeAll(async () => {
    database = await freshDatabase({ schema, migrations });
    const logger = createLog({ service: 'test', instance: 'test', level: 'silent' });
    pool = createPool({ url: database.url, size: 2, service: 'test' }, logger, new Registry());
  });

  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  it('restores lost states: an ended link stays unlinked, a new link needs a log-in, keys and integrations are updated', async () => {
    const integration = {
      ...{ integration_id: integrationId, platform: 'acme', partner: 'Acme', organizer_id: 'organizer-1' },
      ...{ status: 'active', rate_per_second: 200, contracts: [{ version: 1, in_force_from: 1, events: [] }] },
    };
    const key = {
      ...{ key_id: 'key-1', kind: 'event', hash: 'h', integration_id: integrationId, platform: 'acme', scopes: [] },
      ...{ rate_per_second: 40, not_after: null, revoked_at: null },
    };
    expect(
      await repair([
        recordOf(topics.integrations.name, 'acme', integration),
        recordOf(topics.apiKeys.name, 'key-1', key),
        linkRecord('sub-1', 'ready'),
        linkRecord('sub-2', 'linking'),
      ]),
    ).toMatchObject({ incomplete_integrations: ['acme'], contracts: 1, keys_added: 1, links_brought_back: 2 });
    expect(await links()).toEqual(['sub-1 needs_reauth', 'sub-2 needs_reauth']);
    expect(await edgeRights()).toEqual({ rate: 200, scopes: null });
    // The topic has it as active until the record of its pause is in it.
    expect(await repair([recordOf(topics.integrations.name, 'acme', integration)])).toMatchObject({
      paused_or_resumed: 0,
    });
    expect((await pool.query(`SELECT status FROM linkage.integrations`)).rows).toEqual([{ status: 'paused' }]);

    // The last state of each key counts; records removed by a tombstone are left to the erasures.
    const removed = { ...linkRecord('sub-2', 'ready'), record: null };
    const lost = [
      recordOf(topics.integrations.name, 'acme', { ...integration, status: 'paused', rate_per_second: 300 }),
      recordOf(topics.apiKeys.name, 'key-1', { ...key, event_scopes: ['events:read'], revoked_at: 5 }),
      linkRecord('sub-1', 'needs_reauth'),
      linkRecord('sub-1', 'unlinked'),
      linkRecord('sub-2', 'unlinked'),
      removed,
    ];
    expect(await repair(lost)).toMatchObject({
      ...{ paused_or_resumed: 1, keys_changed: 1, links_unlinked: 1, links_brought_back: 0 },
    });
    expect(await edgeRights()).toEqual({ rate: 300, scopes: ['events:read'] });
    expect(await links()).toEqual(['sub-1 unlinked', 'sub-2 needs_reauth']);
    expect(await repair(lost)).toMatchObject({ paused_or_resumed: 0, keys_changed: 0, links_unlinked: 0 });
    const { rows } = await pool.query(`SELECT DISTINCT actor FROM linkage.audit`);
    expect(rows).toEqual([{ actor: 'spec' }]);
  });

  it('restores data keys in their format, each with a name of its own, so that they can be rotated', async () => {
    const key = {
      ...{ kind: 'data', hash: 'h', integration_id: null, platform: null, scopes: [{ scope: 'data:read' }] },
      ...{ rate_per_second: 40, not_after: null, revoked_at: null },
    };
    const formats = { 'data-1': 'podium', 'data-2': 'uuid', 'data-3': undefined, 'data-4': 'of-a-later-release' };
    const records = Object.entries(formats).map(([key_id, format]) =>
      recordOf(topics.apiKeys.name, key_id, { ...key, key_id, format }),
    );
    expect(await repair(records)).toMatchObject({ keys_added: 4 });
    const dataSource = new DataSource(
      dataSourceOptions({ url: database.url, schema, entities: [ApiKey, Integration], migrations: [] }),
    );
    await dataSource.initialize();
    try {
      const rotation = new KeyRotationService(dataSource, new IntegrationStore(dataSource), 'test');
      const operator = { operatorId: 'spec', roles: new Map([['*', ['admin' as const]]]) };
      const rotated = [];
      for (const keyId of Object.keys(formats)) rotated.push(await rotation.rotate(operator, keyId, {}));
      expect(rotated.map(({ name }) => name)).toEqual(Object.keys(formats).map((keyId) => `restored ${keyId}`));
      const texts = rotated.map(({ key }) => (parseUuidKey(key) ? 'uuid' : parseKey(key)?.kind));
      expect(texts).toEqual(['dt', 'uuid', 'dt', 'dt']);
    } finally {
      await dataSource.destroy();
    }
  });

  function repair(lost: readonly PublishedRecord[]) {
    return inTransaction(pool, (tx) => repairLostCommits(tx, lost, 'spec'));
  }

  /** Of the one integration and its one key. */
  async function edgeRights(): Promise<{ rate: number; scopes: string[] | null }> {
    const { rows } = await pool.query<{ rate: number; scopes: string[] | null }>(
      `SELECT event_rate_per_second AS rate, event_scopes AS scopes FROM linkage.integrations, linkage.api_keys`,
    );
    return rows[0];
  }

  async function links(): Promise<string[]> {
    const { rows } = await pool.query<{ text: string }>(
      `SELECT sub || ' ' || state AS text FROM linkage.links ORDER BY 1`,
    );
    return rows.map(({ text }) => text);
  }

  function linkRecord(sub: string, state: LinkData['state']): PublishedRecord {
    return recordOf(topics.links.name, `acme|${sub}`, {
      link_id: `00000000-0000-4000-8000-0000000000${sub.slice(-1).padStart(2, '0')}`,
      integration_id: integrationId,
      platform: 'acme',
      platform_user_id: sub,
      user_id: `user-of-${sub}`,
      organizer_id: 'organizer-1',
      state,
      linked_at: linkedAtS,
    });
  }

  function recordOf(topic: string, key: string, data: object): PublishedRecord {
    revision++;
    const place = { topic, partition: 0, offset: BigInt(revision), key, revision, timestampMs: 1 };
    return { ...place, record: { revision, occurred_at: 1, data } as unknown as PublishedRecord['record'] };
  }
});
