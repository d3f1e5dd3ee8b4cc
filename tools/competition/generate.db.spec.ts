import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import * as path from 'node:path';
import { competitionKey, topics } from '@podium/messages';
import { FreshDatabase, freshDatabase, localStack } from '@podium/testing';
import { migrations, schema } from '../../apps/competition-read/src/migrations';
import { tablesOf, TableSet } from '../../apps/competition-read/test/projection';
import { readTopicUntil } from './test/read-topic-until';
import { worldChanges } from './world/changes';
import { showcaseOf } from './world/showcase';
import { withClient } from '../stack/with-client';

jest.setTimeout(120_000);

const nowS = 1_792_540_800;

describe('npm run competition:generate with servers', () => {
  let database: FreshDatabase;

  beforeAll(async () => (database = await freshDatabase({ schema, migrations })));
  afterAll(() => database.drop());

  it('--load loads the whole world and makes it live', async () => {
    const seed = randomInt(2 ** 31);
    const ids = [...worldChanges({ players: 200, matches: 100, seed, nowS })].flat().map(({ data }) => data.id);
    const { code, stderr } = await run('--seed', `${seed}`, '--now', `${nowS}`, '--load');
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining(`${ids.length} documents`) });
    expect(await liveIds(ids)).toEqual([...new Set(ids)].sort());
  });

  it('--publish sends the world to the topic, under the keys of its documents', async () => {
    const seed = randomInt(2 ** 31);
    const { player, matchId, tournament } = showcaseOf(seed);
    const keys = [
      competitionKey('player', player.id),
      competitionKey('match-stats', matchId),
      competitionKey('tournament-brackets', tournament.id),
    ];
    expect(await run('--seed', `${seed}`, '--publish')).toMatchObject({ code: 0 });
    const values = await readTopicUntil(topics.competitionChanges.name, new Set(keys), keys.length);
    const found = values.map((value) => (JSON.parse(value.toString()) as { key: string }).key);
    expect(found.sort()).toEqual(keys.sort());
  });

  /** Those of the given ids that have a document in the live tables. */
  async function liveIds(ids: readonly string[]): Promise<string[]> {
    return withClient(database.url, async (client) => {
      const { rows: sets } = await client.query<{ live: TableSet }>(`SELECT live FROM ${schema}.live_set`);
      const { rows } = await client.query<{ id: string }>(
        `SELECT DISTINCT id FROM ${tablesOf(sets[0].live).documents} WHERE id = ANY($1) AND body IS NOT NULL ORDER BY id`,
        [ids],
      );
      return rows.map(({ id }) => id);
    });
  }

  function run(...args: string[]): Promise<{ code: number; stderr: string }> {
    const env = { ...process.env, DATABASE_URL: database.url, KAFKA_BROKERS: localStack().kafkaBrokers.join(',') };
    const command = ['-r', '@swc-node/register', 'tools/competition/generate.ts', ...args];
    return new Promise((resolve) => {
      execFile(process.execPath, command, { cwd: path.resolve(__dirname, '../..'), env }, (error, _, stderr) =>
        resolve({ code: error ? Number(error.code) : 0, stderr }),
      );
    });
  }
});
