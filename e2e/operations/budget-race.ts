import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { encodeRecord, recordKey, topics, userEventAccepted } from '@podium/messages';
import { Kafka, OutgoingRecord, RecordProducer } from '@podium/runtime/kafka';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { LoadPlatform, eventName } from '../../bench/ingest/fixture';
import { ServiceHandle } from '../../tools/stack/running-services';
import { withClient } from '../../tools/stack/with-client';
import { nowS } from '../support/partner-api';

/** How a race went. */
export interface RaceTimes {
  /** From the first send until the last event was applied. */
  readonly eventsPerS: number;
  /** How many events were applied when each instance was killed. */
  readonly killedAt: readonly number[];
}

/** What a race runs on. */
export interface RaceCourse {
  readonly kafka: Kafka;
  readonly databaseUrl: string;
  readonly engagement: readonly ServiceHandle[];
}

const timeoutMs = 240_000;

/**
 * Sends one event of each user of a platform straight to the topic of events, and waits until all are applied. Whenever another
 * of the numbers of applied events is reached, the next instance is killed with SIGKILL and started again.
 */
export async function race(
  { kafka, databaseUrl, engagement }: RaceCourse,
  runners: LoadPlatform,
  killAt: readonly number[],
): Promise<RaceTimes> {
  const before = await countApplied(databaseUrl);
  const total = runners.platformUserIds.length;
  const startedMs = performance.now();
  const sending = sendOneEach(kafka, runners);
  sending.catch(() => undefined);
  const killedAt: number[] = [];
  const restarts: Promise<void>[] = [];
  for (let applied = 0; applied < total; applied = (await countApplied(databaseUrl)) - before) {
    if (performance.now() - startedMs > timeoutMs) throw new Error(`${applied} of ${total} events were applied`);
    const next = killAt[killedAt.length];
    if (next !== undefined && applied >= next) {
      const victim = engagement[killedAt.length];
      await victim.kill();
      killedAt.push(applied);
      restarts.push(victim.start());
    }
    await sleep(20);
  }
  const eventsPerS = total / ((performance.now() - startedMs) / 1000);
  await Promise.all([sending, ...restarts]);
  return { eventsPerS, killedAt };
}

async function sendOneEach(kafka: Kafka, { platform, platformUserIds }: LoadPlatform): Promise<void> {
  const producer = new RecordProducer(kafka, { logger: pino({ level: 'error' }), registry: new Registry() });
  await producer.start();
  try {
    const deadlineMs = Date.now() + 60_000;
    const records = platformUserIds.map((account) => eventOf(platform, account));
    await Promise.all(records.map((record) => producer.send(record, { deadlineMs })));
  } finally {
    await producer.stop();
  }
}

function eventOf(platform: string, account: string): OutgoingRecord {
  const key = recordKey(platform, account);
  const data = {
    ...{ platform, platform_user_id: account, user_id: `user-of-${account}`, link_id: `link-of-${account}` },
    event: { id: randomUUID(), name: eventName, created_at: nowS(), attributes: [] },
    ...{ linked_at: nowS() - 86_400, integration_id: platform, organizer_id: `${platform}-prizes` },
    ...{ kind: 'repeatable' as const, contract_version: 1, dropped_attributes: [], received_at: Date.now() },
  };
  const envelope = { id: randomUUID(), revision: 0, occurred_at: Date.now(), key, source: 'ingestion' };
  return { topic: topics.userEvents, key, value: encodeRecord(userEventAccepted, { ...envelope, data }) };
}

function countApplied(databaseUrl: string): Promise<number> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ count: string }>('SELECT count(*) FROM engagement.inbox');
    return Number(rows[0].count);
  });
}
