import { randomBytes, randomUUID } from 'node:crypto';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { RingKey, fixed } from '@podium/runtime/config';
import { queryable } from '@podium/runtime/postgres';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { KilledWorkers } from '../../test/killed-workers';
import { linkInstance } from '../../test/link-instance';
import { LinkParts } from '../../test/link-parts';
import { vaultKey } from '../../test/spec-keys';
import { VaultWorkerReport } from '../../test/vault-worker';
import { Link } from '../links/link';
import { secretLocations } from './secret-locations';
import { Vault } from './vault';
import { VaultKeyStatus, readVaultStatus } from './vault-status';

/** `PODIUM_ROTATIONS=50 npm test -- apps/linkage/src/vault/rotation-under-load` rotates more often. */
const rotations = Number(process.env.PODIUM_ROTATIONS ?? 1);
const seed = Number(process.env.PODIUM_SEED ?? Date.now() % 1_000_000_000);
/** Links whose tokens only wait to be re-encrypted: enough for a kill to strike meanwhile. */
const restingLinks = 6000;
const refreshedLinks = 20;
const instances = 3;
const stepWithinMs = 30_000;
const pageRows = 500;
/** The partner answers from this process, which also opens rows all the time: on a busy machine that is slow, but no fault. */
const patienceMs = 20_000;

interface SealedRow {
  readonly id: string;
  readonly access: string;
  readonly refresh: string | null;
  readonly previous: string | null;
}

describe(`the key ring is rotated over ${instances} instances that are killed (PODIUM_SEED=${seed})`, () => {
  const generator = xoroshiro128plus(seed);
  const below = (limit: number): number => uniformInt(generator, 0, limit - 1);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'vault-'));
  const ringFile = path.join(folder, 'ring');
  const resting = new Map<string, number>();
  const faults: string[] = [];
  let ring: RingKey[] = [{ id: 'k1', key: vaultKey }];
  let linked = 0;
  let struck = 0;
  let parts: LinkParts;
  let workers: KilledWorkers;

  beforeAll(async () => {
    parts = await LinkParts.start();
    parts.partner.hasGrace = true;
  });

  afterAll(async () => {
    await workers?.stop();
    await parts.stop();
    fs.rmSync(folder, { recursive: true });
  });

  const query = async <Row>(sql: string, ...values: unknown[]): Promise<Row[]> =>
    (await parts.pool.query(sql, values)).rows as Row[];

  function useRing(...keys: RingKey[]): void {
    ring = keys;
    // Replaced as a whole, as kubelet does, so that nobody reads half of it.
    fs.writeFileSync(`${ringFile}.new`, keys.map(({ id, key }) => `${id}:${key.toString('base64')}`).join(','));
    fs.renameSync(`${ringFile}.new`, ringFile);
  }

  const statusOf = async (keyId: string): Promise<VaultKeyStatus | undefined> =>
    (await readVaultStatus(queryable(parts.pool), ring[0].id)).keys.find((key) => key.keyId === keyId);

  async function until(what: string, isSo: () => Promise<boolean>, everyMs = 50): Promise<void> {
    const endMs = Date.now() + stepWithinMs;
    while (!(await isSo())) {
      if (Date.now() > endMs) throw new Error(`not within ${stepWithinMs} ms: ${what}; ${faults.join('\n')}`);
      await sleep(everyMs);
    }
  }

  /** Links whose tokens nobody refreshes, and whose texts are known. */
  async function addResting({ integrationId, platform }: { integrationId: string; platform: string }): Promise<void> {
    const ids = Array.from({ length: restingLinks }, () => randomUUID());
    ids.forEach((id, n) => resting.set(id, n));
    await query(
      `INSERT INTO linkage.links (link_id, integration_id, platform, organizer_id, user_id, sub, nickname, state, linked_at, version)
       SELECT id, $2, $3, 'organizer-1', id, id, 'n', 'ready', now(), 1 FROM unnest($1::uuid[]) id`,
      ...[ids, integrationId, platform],
    );
    await query(
      `INSERT INTO linkage.link_tokens (link_id, version, access_token_enc, refresh_token_enc)
       SELECT id, 1, access, refresh FROM unnest($1::uuid[], $2::text[], $3::text[]) AS n (id, access, refresh)`,
      ids,
      ids.map((id) => parts.vault.seal(`access ${resting.get(id)}`, secretLocations.accessToken(id))),
      ids.map((id) => parts.vault.seal(`refresh ${resting.get(id)}`, secretLocations.refreshToken(id))),
    );
  }

  /** Opens a page of rows with the ring that instances have; returns where the next one begins, null after the last. */
  async function readPage(after: string): Promise<string | null> {
    const rows = await query<SealedRow>(
      `SELECT link_id AS id, access_token_enc AS access, refresh_token_enc AS refresh, previous_refresh_token_enc AS previous
       FROM linkage.link_tokens WHERE link_id > $1 ORDER BY link_id LIMIT $2`,
      ...[after, pageRows],
    );
    const vault = new Vault(fixed(ring as [RingKey]));
    for (const { id, access, refresh, previous } of rows) {
      const texts = [vault.open(access, secretLocations.accessToken(id))];
      for (const sealed of [refresh, previous])
        if (sealed !== null) texts.push(vault.open(sealed, secretLocations.refreshToken(id)));
      const n = resting.get(id);
      if (n !== undefined) expect(texts).toEqual([`access ${n}`, `refresh ${n}`]);
    }
    const integrations = await query<{ id: string; secret: string }>(
      `SELECT integration_id AS id, client_secret_enc AS secret FROM linkage.integrations`,
    );
    for (const { id, secret } of integrations)
      expect(vault.open(secret, secretLocations.clientSecret(id))).toBe(parts.partner.clientSecret);
    return rows.length < pageRows ? null : rows[rows.length - 1].id;
  }

  async function readAll(): Promise<void> {
    for (let after: string | null = firstId; after !== null;) after = await readPage(after);
  }

  /** Rows are read as long as it goes on; rejects at the first that does not open. */
  function readThroughout(signal: { stopped: boolean }): Promise<void> {
    const read = async (): Promise<void> => {
      while (!signal.stopped) {
        await readPage(`${below(16).toString(16)}0000000-0000-0000-0000-000000000000`);
        await sleep(20);
      }
    };
    const reading = read();
    reading.catch(() => (signal.stopped = true));
    return reading;
  }

  /** Kills an instance at a random moment; counts whether some links have their tokens under the former key and some have not. */
  async function strike(former: RingKey): Promise<void> {
    await sleep(below(150));
    noteStrike(await remainingOf(former));
    await workers.killOne();
  }

  /** Kills an instance as soon as the first links are re-encrypted. */
  async function strikeInTheMiddle(former: RingKey): Promise<void> {
    let remaining = restingLinks;
    const begun = async (): Promise<boolean> => (remaining = await remainingOf(former)) < restingLinks;
    await until('re-encryption', begun, 2);
    noteStrike(remaining);
    await workers.killOne();
  }

  function noteStrike(remaining: number): void {
    if (remaining > 0 && remaining < restingLinks) struck++;
  }

  /** Resting links whose tokens are under the former key. */
  async function remainingOf(former: RingKey): Promise<number> {
    const [{ remaining }] = await query<{ remaining: number }>(
      `SELECT count(*) AS remaining FROM linkage.link_tokens
       WHERE starts_with(access_token_enc, $1) AND link_id = ANY ($2::uuid[])`,
      ...[`v1.${former.id}.`, [...resting.keys()]],
    );
    return remaining;
  }

  /** As docs/operations/rotate.md says, step by step, with kills in between. */
  async function rotate(former: RingKey, next: RingKey): Promise<void> {
    useRing(former, next);
    await strike(former);
    await until(`all have ${next.id}`, async () => {
      const status = await statusOf(next.id);
      return status?.state === 'unused' && status.instances === instances;
    });
    useRing(next, former);
    await strikeInTheMiddle(former);
    await strike(former);
    await until(`${former.id} is unused`, async () => {
      // Flows of killed instances end by themselves within minutes; their users have given up.
      await query(`UPDATE linkage.oauth_flows SET expires_at = now() WHERE created_at < now() - interval '2 s'`);
      const status = await statusOf(former.id);
      return status?.state === 'unused' && status.instances === instances;
    });
    useRing(next);
    await strike(former);
    await until(`${former.id} leaving all rings`, async () => (await statusOf(former.id)) === undefined);
    await readAll();
  }

  /** Lets each link that has a grant be refreshed by an instance with the last key alone. */
  async function expectRefreshable(links: readonly Link[]): Promise<void> {
    const { pool, logger, partner } = parts;
    const vault = new Vault(fixed(ring as [RingKey]));
    const instance = linkInstance({ pool, vault, logger, partnerHost: partner.host, instance: 'last' });
    for (const link of links) {
      await parts.expire(link);
      expect(await instance.accessTokens.accessTokenFor(link.linkId)).toMatchObject({ ok: true });
      expect(partner.isAlive(link.sub)).toBe(true);
    }
    await instance.stop();
  }

  it(
    `every row can be read throughout, none is left under a former key, and that key can go`,
    async () => {
      const { baseUrl, clientId, clientSecret } = parts.partner;
      const integration = await parts.integration({
        baseUrl,
        clientId,
        clientSecret,
        profile: { timeout_ms: patienceMs },
      });
      await addResting(integration);
      const links = await Promise.all(Array.from({ length: refreshedLinks }, () => parts.link(integration)));
      useRing(...ring);
      workers = new KilledWorkers({
        ...{ databaseUrl: parts.databaseUrl, partnerHost: parts.partner.host },
        random: () => below(1_000_000) / 1_000_000,
        worker: { file: 'vault-worker.ts', args: [ringFile, integration.integrationId] },
        // What an instance that is gone has claimed and reported is over; otherwise others would wait for half a minute.
        onKilled: async (name) => {
          await query(`DELETE FROM linkage.vault_instances WHERE instance = $1`, name);
          await query(
            `UPDATE linkage.link_tokens
             SET refresh_started_at = refresh_started_at - interval '10 minutes', refresh_started_by = NULL
             WHERE refresh_started_by = $1`,
            name,
          );
        },
        onReport: (report) => {
          if (report === 'linked') linked++;
          else faults.push((report as Exclude<VaultWorkerReport, string>).fault);
        },
      });
      await workers.start();
      const signal = { stopped: false };
      const reading = readThroughout(signal);
      const refreshing = keepRefreshing(signal);
      for (let n = 1; n <= rotations && !signal.stopped; n++)
        await rotate(ring[0], { id: `k${n + 1}`, key: randomBytes(32) });
      signal.stopped = true;
      await Promise.all([reading, refreshing]);
      await workers.stop();
      expect(faults).toEqual([]);
      await expectRefreshable(links);
      const refreshed = parts.partner.seen.filter(({ form }) => form.has('refresh_token')).length;
      process.stdout.write(
        `${rotations} rotations over ${restingLinks} links, ${linked} linked and ${refreshed} refreshed meanwhile, ` +
          `${workers.kills} kills, ${struck} of them in the middle\n`,
      );
      expect(linked).toBeGreaterThan(0);
      expect(refreshed).toBeGreaterThan(refreshedLinks);
      expect(struck).toBeGreaterThan(0);
    },
    60_000 + rotations * 60_000,
  );

  /** Has some links refreshed all the time. */
  async function keepRefreshing(signal: { stopped: boolean }): Promise<void> {
    const someDue = `UPDATE linkage.link_tokens SET expires_at = now(), refresh_due_at = now() WHERE link_id IN
      (SELECT link_id FROM linkage.link_tokens WHERE refresh_started_at IS NULL AND refresh_due_at > now() + interval '8 s'
       ORDER BY random() LIMIT 2)`;
    while (!signal.stopped) {
      await query(someDue);
      await sleep(100);
    }
  }
});

const firstId = '00000000-0000-0000-0000-000000000000';
