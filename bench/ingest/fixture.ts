import { randomUUID } from 'node:crypto';
import {
  apiKeyChanged,
  createKey,
  encodeRecord,
  eventRatePerSecond,
  integrationChanged,
  linkChanged,
  recordKey,
  topics,
} from '@podium/messages';
import { Kafka, OutgoingRecord, RecordProducer } from '@podium/runtime/kafka';
import { Registry } from '@podium/runtime/metrics';
import { pino } from 'pino';

/** A platform that sends events: its key and its linked users. */
export interface LoadPlatform {
  readonly platform: string;
  readonly key: string;
  readonly platformUserIds: readonly string[];
}

/** The only event of the contracts. */
export const eventName = 'deposit';

/**
 * Replaces linkage: creates platforms with a contract, a key and linked users by writing the records that linkage would
 * publish. Resolves when Kafka has acknowledged all of them; the services apply them a little later.
 */
export async function publishPlatforms(
  kafka: Kafka,
  platforms: number,
  usersPerPlatform: number,
): Promise<LoadPlatform[]> {
  const producer = new RecordProducer(kafka, { logger: pino({ level: 'error' }), registry: new Registry() });
  await producer.start();
  const created: LoadPlatform[] = [];
  const records: OutgoingRecord[] = [];
  for (let number = 1; number <= platforms; number++) {
    const { key, keyId, hash } = createKey('test', 'ev');
    const platform = `bench-${number}`;
    const platformUserIds = Array.from({ length: usersPerPlatform }, (_, at) => `player-${number}-${at + 1}`);
    created.push({ platform, key, platformUserIds });
    records.push(...recordsOf({ platform, keyId, hash, platformUserIds }));
  }
  const deadlineMs = Date.now() + 30_000;
  await Promise.all(records.map((record) => producer.send(record, { deadlineMs })));
  await producer.stop();
  return created;
}

function recordsOf(given: {
  platform: string;
  keyId: string;
  hash: string;
  platformUserIds: readonly string[];
}): OutgoingRecord[] {
  const { platform, keyId, hash, platformUserIds } = given;
  const integration = { integration_id: randomUUID(), platform, organizer_id: `${platform}-prizes` };
  const envelope = (key: string) => ({
    id: randomUUID(),
    revision: 1,
    occurred_at: Date.now(),
    key,
    source: 'linkage',
  });
  const integrationRecord = encodeRecord(integrationChanged, {
    ...envelope(recordKey(platform)),
    data: { ...integration, partner: `${platform} Ltd`, status: 'active', contracts: [contract] },
  });
  const keyRecord = encodeRecord(apiKeyChanged, {
    ...envelope(recordKey(keyId)),
    data: {
      key_id: keyId,
      kind: 'event',
      hash,
      integration_id: integration.integration_id,
      platform,
      scopes: [],
      rate_per_second: eventRatePerSecond,
      not_after: null,
      revoked_at: null,
    },
  });
  const links = platformUserIds.map((platformUserId): OutgoingRecord => {
    const key = recordKey(platform, platformUserId);
    const link = { link_id: randomUUID(), platform_user_id: platformUserId, user_id: `user-of-${platformUserId}` };
    const linkedAt = Math.floor(Date.now() / 1000) - 86_400;
    const data = { ...integration, ...link, state: 'ready' as const, linked_at: linkedAt };
    return { topic: topics.links, key, value: encodeRecord(linkChanged, { ...envelope(key), data }) };
  });
  return [
    { topic: topics.integrations, key: recordKey(platform), value: integrationRecord },
    { topic: topics.apiKeys, key: recordKey(keyId), value: keyRecord },
    ...links,
  ];
}

const contract = {
  version: 1,
  in_force_from: 0,
  events: [
    {
      name: eventName,
      kind: 'repeatable' as const,
      attributes: [
        { name: 'amount', type: 'decimal' as const },
        { name: 'currency', type: 'currency' as const },
      ],
    },
  ],
};
