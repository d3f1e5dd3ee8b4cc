import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { topics } from '@podium/messages';
import { Kafka, logLevel } from 'kafkajs';
import { WholeStack, startStackForTest } from '../tools/stack/whole-stack';
import { tableDigests } from './competition/table-digests';
import { withClient } from '../tools/stack/with-client';

jest.setTimeout(420_000);

const world = ['--players', '5000', '--matches', '2000', '--seed', '7', '--now', '1790000000'];

describe('projection of competition data', () => {
  let stack: WholeStack & { dispose(): Promise<void> };

  beforeAll(async () => {
    stack = await startStackForTest('projection', {
      seed: false,
      only: ['competition-read', 'competition-read-projector'],
    });
  });

  afterAll(async () => {
    await stack?.dispose();
  });

  it('gives the same tables through the topic, with kill -9 during the projection, and through COPY', async () => {
    const { database_url: databaseUrl } = stack.infrastructure.addresses;
    const service = stack.services.first('competition-read-projector');
    let isPublished = false;
    const publishing = generate(stack, '--publish').finally(() => (isPublished = true));
    let killsWhileBehind = 0;
    for (let kills = 0; kills < 3; kills++) {
      await sleep(2_000);
      // Before the first changes arrive there is nothing to interrupt.
      while (!(await isBehind(stack)) && !isPublished) await sleep(50);
      if (await isBehind(stack)) killsWhileBehind++;
      await service.kill('SIGKILL');
      await service.start();
    }
    await publishing;
    expect(killsWhileBehind).toBeGreaterThan(0);
    await untilProjected(stack);
    const byTopic = await tableDigests(databaseUrl, 'a');
    await generate(stack, '--load');
    const byCopy = await tableDigests(databaseUrl, 'b');
    expect(byTopic.documents.rows).toBeGreaterThan(10_000);
    expect(byCopy).toEqual(byTopic);
    expect(await liveSet(databaseUrl)).toBe('b');
  });

  it('is no work of the process that serves reads, and the projector serves none', async () => {
    const [reads, projector] = [
      stack.services.first('competition-read'),
      stack.services.first('competition-read-projector'),
    ];
    const metrics = async (healthUrl: string): Promise<string> => (await fetch(`${healthUrl}/metrics`)).text();
    expect(await metrics(projector.healthUrl)).toContain('kafka_consumer_lag_seconds{');
    expect(await metrics(reads.healthUrl)).not.toMatch(/^kafka_|^competition_read_changes_total/m);
    // Without the gateway's token: refused where there is a route.
    expect((await fetch(`${reads.url}/data/v4/games`)).status).toBe(401);
    expect((await fetch(`${projector.url}/data/v4/games`)).status).toBe(404);
  });
});

async function generate(stack: WholeStack, mode: '--publish' | '--load'): Promise<void> {
  const { database_url, kafka_brokers } = stack.infrastructure.addresses;
  await promisify(execFile)(
    process.execPath,
    ['-r', '@swc-node/register', 'tools/competition/generate.ts', ...world, mode],
    { env: { ...process.env, DATABASE_URL: database_url, KAFKA_BROKERS: kafka_brokers } },
  );
}

async function liveSet(databaseUrl: string): Promise<string> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ live: string }>('SELECT live FROM competition_read.live_set');
    return rows[0].live;
  });
}

/** Waits until the projector has reached the ends of the topic. */
async function untilProjected(stack: WholeStack): Promise<void> {
  const deadline = Date.now() + 240_000;
  while (await isBehind(stack)) {
    if (Date.now() > deadline) throw new Error('the projector did not reach the end of the topic in time');
    await sleep(250);
  }
}

/** Whether a position in the live tables is less than the end offset of its partition in the topic. */
async function isBehind(stack: WholeStack): Promise<boolean> {
  const { database_url, kafka_brokers } = stack.infrastructure.addresses;
  const admin = new Kafka({ brokers: kafka_brokers.split(','), logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  const ends = await admin.fetchTopicOffsets(topics.competitionChanges.name);
  await admin.disconnect();
  return withClient(database_url, async (client) => {
    const { rows } = await client.query<{ partition: number; next_offset: string }>(
      'SELECT partition, next_offset::text FROM competition_read.positions_a',
    );
    const at = new Map(rows.map((row) => [row.partition, BigInt(row.next_offset)]));
    return ends.some(({ partition, high }) => (at.get(partition) ?? 0n) < BigInt(high));
  });
}
