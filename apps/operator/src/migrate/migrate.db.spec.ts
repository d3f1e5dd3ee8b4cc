import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { FreshDatabase, freshDatabase } from '@podium/testing';
import { MigrateProcess } from '../../test/migrate-process';
import { countTables, dumpSchemas, isMigrating, schemas } from '../../test/schema-dump.queries';
import { withClient } from '../../../../tools/stack/with-client';

jest.setTimeout(240_000);

const appliedLine = /^\w+: applied .+$/gm;
const upToDateLine = /^\w+: up to date$/gm;

describe('migrations', () => {
  const databases: FreshDatabase[] = [];
  const openDatabase = async (): Promise<FreshDatabase> => {
    const database = await freshDatabase();
    databases.push(database);
    return database;
  };
  let clean: FreshDatabase;
  let cleanDump: string;
  let cleanTables: number;

  beforeAll(async () => {
    clean = await openDatabase();
    const first = await new MigrateProcess(clean.url).ended;
    expect(first).toMatchObject({ code: 0 });
    expect(first.output.match(appliedLine)).toHaveLength(4);
    cleanDump = await dumpSchemas(clean.url);
    expect(cleanDump).toContain('linkage.links');
    cleanTables = await withClient(clean.url, countTables);
  });

  afterAll(async () => {
    for (const database of databases) await database.drop();
  });

  it('run a second time change nothing', async () => {
    const second = await new MigrateProcess(clean.url).ended;
    expect(second).toMatchObject({ code: 0 });
    expect(second.output.match(upToDateLine)).toHaveLength(4);
    expect(await dumpSchemas(clean.url)).toBe(cleanDump);
  });

  it('run by five at once are applied by one, and all five succeed', async () => {
    const database = await openDatabase();
    const five = await Promise.all(Array.from({ length: 5 }, () => new MigrateProcess(database.url).ended));
    expect(five.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0]);
    for (const schema of schemas) {
      const appliers = five.filter(({ output }) => output.includes(`${schema}: applied`));
      expect({ schema, appliers: appliers.length }).toEqual({ schema, appliers: 1 });
    }
    expect(await dumpSchemas(database.url)).toBe(cleanDump);
  });

  it('killed at any point and run again end in the same schema', async () => {
    const seed = Number(process.env.MIGRATE_SEED ?? randomInt(2 ** 31));
    const random = xoroshiro128plus(seed);
    const struckAt: number[] = [];
    try {
      for (let round = 0; round < 2; round++) {
        const database = await openDatabase();
        await withClient(database.url, async (client) => {
          // The points are in order, the first in the first schema and the last in the last.
          for (let at = 0; at < 4; at++) {
            const fromTables = Math.floor(((at * 100 + uniformInt(random, 0, 99)) * cleanTables) / 400);
            if (await killAfter(database.url, client, fromTables, uniformInt(random, 0, 15)))
              struckAt.push(await countTables(client));
          }
        });
        const last = await new MigrateProcess(database.url).ended;
        expect(last).toMatchObject({ code: 0 });
        expect(await dumpSchemas(database.url)).toBe(cleanDump);
      }
    } finally {
      process.stdout.write(`MIGRATE_SEED=${seed}: killed with ${struckAt.join(', ')} of ${cleanTables} tables\n`);
    }
    expect(struckAt.filter((tables) => tables > 0 && tables < cleanTables).length).toBeGreaterThanOrEqual(4);
  });
});

/** Migrates, and kills once there are this many tables and a delay has passed; false when it ended before. */
async function killAfter(databaseUrl: string, client: Client, tables: number, furtherMs: number): Promise<boolean> {
  const migration = new MigrateProcess(databaseUrl);
  while (migration.isRunning && !((await isMigrating(client)) && (await countTables(client)) >= tables)) await sleep(1);
  await sleep(furtherMs);
  const struck = migration.isRunning;
  await migration.kill();
  return struck;
}
