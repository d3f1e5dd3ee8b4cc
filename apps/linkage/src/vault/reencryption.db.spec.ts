import { randomBytes, randomUUID } from 'node:crypto';
import { RingKey, fixed } from '@podium/runtime/config';
import { createRegistry } from '@podium/runtime/metrics';
import { Pool, createPool, dataSourceOptions, queryable } from '@podium/runtime/postgres';
import { FreshDatabase, freshDatabase } from '@podium/testing';
import { pino } from 'pino';
import { DataSource } from 'typeorm';
import { Integration } from '../entities/integration.entity';
import { defaultProfile } from '../integrations/apply-changes';
import { migrations, schema } from '../migrations';
import { secretLocations } from './secret-locations';
import { Reencryption } from './reencryption';
import { SealedRowsStore } from './sealed-rows.store';
import { Vault } from './vault';
import { tellVaultKeys } from './vault-instances.store';
import { readVaultStatus } from './vault-status';

describe('Reencryption', () => {
  const logger = pino({ level: 'silent' });
  const [k1, k2] = ['k1', 'k2'].map((id) => ({ id, key: randomBytes(32) }));
  const [before, rotated, after] = [[k1], [k2, k1], [k2]].map((ring) => new Vault(fixed(ring as [RingKey])));
  const integrationId = randomUUID();
  const registry = createRegistry('spec');
  let database: FreshDatabase;
  let pool: Pool;
  let dataSource: DataSource;

  beforeAll(async () => {
    database = await freshDatabase({ schema, migrations });
    pool = createPool({ url: database.url, size: 4, service: 'spec' }, logger, createRegistry('spec'));
    dataSource = new DataSource(
      dataSourceOptions({ url: database.url, schema, entities: [Integration], migrations: [] }),
    );
    await dataSource.initialize();
    const place = secretLocations.clientSecret(integrationId);
    await addIntegration('acme', {
      integrationId,
      clientSecretEnc: rotated.seal('current', place),
      previousClientSecretEnc: before.seal('former', place),
    });
  });

  afterAll(async () => {
    await dataSource?.destroy();
    await pool?.end();
    await database?.drop();
  });

  async function addIntegration(
    platform: string,
    secrets: Pick<Integration, 'integrationId' | 'clientSecretEnc' | 'previousClientSecretEnc'>,
  ): Promise<void> {
    await dataSource.manager.insert(Integration, {
      ...{
        platform,
        partner: platform,
        organizerId: 'o-1',
        displayName: platform,
        status: 'active',
        clientId: 'podium',
      },
      ...{ authorizationUrl: 'https://acme.example/login', baseUrl: 'https://acme.example', profile: defaultProfile },
      ...secrets,
    });
  }

  async function addLink(n: number): Promise<string> {
    const linkId = randomUUID();
    await pool.query(
      `INSERT INTO linkage.links (link_id, integration_id, platform, organizer_id, user_id, sub, nickname, state, linked_at, version)
       VALUES ($1, $2, 'acme', 'o-1', $3, $3, 'n', 'ready', now(), 1)`,
      [linkId, integrationId, `u-${n}`],
    );
    await pool.query(
      `INSERT INTO linkage.link_tokens (link_id, version, access_token_enc, refresh_token_enc, previous_refresh_token_enc)
       VALUES ($1, 1, $2, $3, $4)`,
      [
        linkId,
        before.seal(`access-${n}`, secretLocations.accessToken(linkId)),
        n % 2 === 0 ? before.seal(`refresh-${n}`, secretLocations.refreshToken(linkId)) : null,
        n % 3 === 0 ? before.seal(`previous-${n}`, secretLocations.refreshToken(linkId)) : null,
      ],
    );
    return linkId;
  }

  it('re-encrypts every row with the new key in several batches, and leaves locked rows for the next run', async () => {
    const linkIds: string[] = [];
    for (let n = 0; n < 120; n++) linkIds.push(await addLink(n));
    const holder = await pool.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT 1 FROM linkage.link_tokens WHERE link_id = $1 FOR UPDATE', [linkIds[0]]);
    const reencryption = new Reencryption(new SealedRowsStore(pool, rotated), logger, registry);
    await reencryption.run(new AbortController().signal);
    expect(await underOldKey()).toEqual([linkIds[0]]);
    expect(await remaining()).toBe(3);
    expect(await statuses([['k2', 'k1']])).toEqual([
      ['k2', 'sealing', null],
      ['k1', 'in_use', 3],
    ]);
    await holder.query('COMMIT');
    holder.release();
    await reencryption.run(new AbortController().signal);
    expect(await underOldKey()).toEqual([]);
    expect(await remaining()).toBe(0);
    expect(await statuses([['k2', 'k1']])).toEqual([
      ['k2', 'sealing', null],
      ['k1', 'unused', 0],
    ]);

    const { rows } = await pool.query<Record<string, string | null>>('SELECT * FROM linkage.link_tokens');
    for (const row of rows) {
      const linkId = String(row.link_id);
      const n = linkIds.indexOf(linkId);
      const open = (sealed: string | null) =>
        sealed === null ? null : after.open(sealed, secretLocations.refreshToken(linkId));
      expect(after.open(String(row.access_token_enc), secretLocations.accessToken(linkId))).toBe(`access-${n}`);
      expect(open(row.refresh_token_enc)).toBe(n % 2 === 0 ? `refresh-${n}` : null);
      expect(open(row.previous_refresh_token_enc)).toBe(n % 3 === 0 ? `previous-${n}` : null);
      expect(Number(row.version)).toBe(1);
    }
    const integration = await dataSource.manager.findOneByOrFail(Integration, { integrationId });
    const place = secretLocations.clientSecret(integrationId);
    expect(after.open(integration.clientSecretEnc, place)).toBe('current');
    expect(after.open(String(integration.previousClientSecretEnc), place)).toBe('former');
    // What operators read stays as it is: a change that expects this version, or the profile of a check, is no conflict.
    expect([integration.version, integration.updatedAt]).toEqual([1, integration.createdAt]);
  });

  it('counts no secret of a restored integration, and re-encrypts a previous one that was entered', async () => {
    const ids = [randomUUID(), randomUUID()];
    const previous = before.seal('former', secretLocations.clientSecret(ids[1]));
    await addIntegration('restored-1', { integrationId: ids[0], clientSecretEnc: '', previousClientSecretEnc: null });
    await addIntegration('restored-2', {
      integrationId: ids[1],
      clientSecretEnc: '',
      previousClientSecretEnc: previous,
    });
    expect(await statuses([['k2', 'k1']])).toEqual([
      ['k2', 'sealing', null],
      ['k1', 'in_use', 1],
    ]);
    await new Reencryption(new SealedRowsStore(pool, rotated), logger, createRegistry('spec')).run(
      new AbortController().signal,
    );
    expect(await statuses([['k2', 'k1']])).toEqual([
      ['k2', 'sealing', null],
      ['k1', 'unused', 0],
    ]);
    const row = await dataSource.manager.findOneByOrFail(Integration, { integrationId: ids[1] });
    expect([
      row.clientSecretEnc,
      after.open(String(row.previousClientSecretEnc), secretLocations.clientSecret(ids[1])),
    ]).toEqual(['', 'former']);
  });

  it('leaves a row that cannot be decrypted and re-encrypts the others', async () => {
    const moved = await addLink(1000);
    const broken = await addLink(1001);
    await pool.query('UPDATE linkage.link_tokens SET access_token_enc = $2 WHERE link_id = $1', [
      broken,
      before.seal('of another row', secretLocations.accessToken(moved)),
    ]);
    await new Reencryption(new SealedRowsStore(pool, rotated), logger, createRegistry('spec')).run(
      new AbortController().signal,
    );
    expect(await underOldKey()).toEqual([broken]);
  });

  it('leaves the log-in of a check, which needs its key until it is over', async () => {
    const checkId = randomUUID();
    const url = before.seal('https://acme.example/login', secretLocations.checkLogIn(checkId));
    const underK1 = async (): Promise<number> =>
      Number((await statuses([['k2', 'k1']])).find(([keyId]) => keyId === 'k1')?.[2] ?? 0);
    const others = await underK1();
    await pool.query(
      `INSERT INTO linkage.partner_checks (check_id, integration_id, integration_version, status, started_by, log_in_url_enc)
       VALUES ($1, $2, 1, 'waiting_for_log_in', 'operator', $3)`,
      [checkId, integrationId, url],
    );
    expect(await underK1()).toBe(others + 1);
    await pool.query(
      `UPDATE linkage.partner_checks SET status = 'finished', log_in_url_enc = NULL WHERE check_id = $1`,
      [checkId],
    );
    expect(await underK1()).toBe(others);
  });

  async function remaining(): Promise<number> {
    const { values } = await registry.getSingleMetric('linkage_vault_former_key_secrets')!.get();
    return values[0].value;
  }

  async function statuses(rings: string[][]): Promise<unknown[][]> {
    await pool.query('DELETE FROM linkage.vault_instances');
    for (const [at, keyIds] of rings.entries()) await tellVaultKeys(queryable(pool), `linkage-${at}`, keyIds);
    const { keys, instances } = await readVaultStatus(queryable(pool), rings[0][0]);
    expect(instances.map(({ keyIds }) => keyIds)).toEqual(rings);
    return keys.map(({ keyId, state, sealed }) => [keyId, state, sealed]);
  }

  async function underOldKey(): Promise<string[]> {
    const { rows } = await pool.query<{ link_id: string }>(
      `SELECT link_id FROM linkage.link_tokens t WHERE t::text LIKE '%v1.k1.%'`,
    );
    return rows.map((row) => row.link_id);
  }
});
