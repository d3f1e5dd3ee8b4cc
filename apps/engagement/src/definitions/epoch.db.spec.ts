import { createLog } from '@podium/runtime/log';
import { Registry } from '@podium/runtime/metrics';
import { Pool, createPool, inTransaction } from '@podium/runtime/postgres';
import { FreshDatabase, freshDatabase } from '@podium/testing';
import { EarlierTables } from '@podium/testing/earlier-tables';
import { EngineDefinition } from '../evaluation/definition';
import { migrations, schema } from '../migrations';
import { LiveDefinitions } from '../progress/live-definitions';
import { holdEpoch, moveEpoch } from './epoch.store';

describe('the epoch of definitions', () => {
  let database: FreshDatabase;
  let pool: Pool;

  beforeAll(async () => {
    database = await freshDatabase({ schema, migrations });
    const logger = createLog({ service: 'test', instance: 'test', level: 'silent' });
    pool = createPool({ url: database.url, size: 2, service: 'test' }, logger, new Registry());
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  it('changes after a publication, also when Postgres lost the previous one', async () => {
    let published = 'first';
    const live = new LiveDefinitions({
      readEpoch: holdEpoch,
      loadPublished: async () => ({ definitions: [task(published)], unreadable: [] }),
      isRebuilding: async () => false,
    });
    const inForce = (): Promise<string[]> =>
      inTransaction(pool, async (tx) => [...(await live.current(tx)).byId.values()].map(({ platform }) => platform));
    const publish = (platform: string): Promise<void> =>
      inTransaction(pool, async (tx) => {
        await moveEpoch(tx);
        published = platform;
      });
    const earlier = new EarlierTables(pool, schema, ['definition_epoch']);
    expect(await inForce()).toEqual(['first']);
    await earlier.keep();
    await publish('lost');
    expect(await inForce()).toEqual(['lost']);
    // While this instance reads nothing, the failover loses one publication and an operator makes another.
    await earlier.goBack();
    await publish('second');
    expect(await inForce()).toEqual(['second']);
  });
});

function task(platform: string): EngineDefinition {
  return {
    definitionId: '00000000-0000-4000-8000-000000000001',
    platform,
    organizerId: 'organizer-1',
    paused: false,
    endedAt: null,
    specs: {},
    kind: 'task',
    versions: [
      {
        version: 1,
        generation: 1,
        inForceFrom: 0,
        body: {
          goal: { count: { event: 'deposit', where: [] }, window: { lifetime: true }, op: 'gte', value: '1' },
          repeat: { every: '1' },
          zone: 'UTC',
          max_per_user: 10,
          reward: { type: 'points', amount: '1' },
          claw_back: 'none',
          max_per_event: 10,
        },
      },
    ],
  };
}
