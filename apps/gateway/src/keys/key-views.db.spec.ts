import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import {
  ApiKeyData,
  apiKeyChanged,
  createKey,
  createUuidKey,
  encodeRecord,
  integrationChanged,
  topics,
} from '@podium/messages';
import { RecordProducer, createKafka, ensureTopics } from '@podium/runtime/kafka';
import { Registry } from '@podium/runtime/metrics';
import { freshName, localStack } from '@podium/testing';
import { dataKeyOf } from '../../test/gateway-under-test';
import { DataKeys } from './data-keys';
import { EventKeys } from './event-keys';
import { KeyViews } from './key-views';

const logger = pino({ level: 'silent' });
const kafka = createKafka({ brokers: [...localStack().kafkaBrokers], clientId: 'spec', logger });
const rows = {
  apiKeys: { ...topics.apiKeys, name: freshName('keys') },
  integrations: { ...topics.integrations, name: freshName('integrations') },
};

describe('KeyViews', () => {
  const producer = new RecordProducer(kafka, { logger, registry: new Registry(), topics: [] });
  const { key, keyId, hash } = createKey('test', 'ev');
  const eventKeys: EventKeys = new EventKeys('test', () => views.ageMs());
  const dataKeys: DataKeys = new DataKeys('test', () => views.keysAgeMs());
  const views = new KeyViews(
    { eventKeys, dataKeys },
    { kafka, instance: 'spec', logger, registry: new Registry(), onFatal: () => undefined, rows },
  );
  let revision = 0;

  beforeAll(async () => {
    await ensureTopics(kafka, Object.values(rows), { replicationFactor: 1, minInsyncReplicas: 1 });
    await producer.start();
  });
  afterAll(async () => {
    await views.stop();
    await producer.stop();
    const admin = kafka.admin();
    await admin.connect();
    await admin.deleteTopics({ topics: Object.values(rows).map(({ name }) => name) });
    await admin.disconnect();
  });

  const outcome = (): string => {
    const caller = eventKeys.authenticate(`Bearer ${key}`);
    return caller.ok ? caller.platform : caller.refusal.code;
  };

  async function until(expected: string): Promise<void> {
    for (const endMs = Date.now() + 20_000; outcome() !== expected; await sleep(10))
      if (Date.now() > endMs) throw new Error(`timed out waiting for ${expected}; the outcome is ${outcome()}`);
  }

  async function publish(
    topic: (typeof rows)[keyof typeof rows],
    recordKey: string,
    value: Buffer | null,
  ): Promise<void> {
    await producer.send({ topic, key: recordKey, value }, { deadlineMs: Date.now() + 20_000 });
  }

  function envelope<Data>(recordKey: string, data: Data) {
    revision += 1;
    return { id: `r${revision}`, revision, occurred_at: Date.now(), key: recordKey, source: 'linkage', data };
  }

  async function publishKey(changes: Partial<ApiKeyData> = {}): Promise<void> {
    const data: ApiKeyData = {
      key_id: keyId,
      kind: 'event',
      hash,
      integration_id: 'i',
      platform: 'acme',
      scopes: [],
      rate_per_second: 40,
      not_after: null,
      revoked_at: null,
      ...changes,
    };
    await publish(rows.apiKeys, keyId, encodeRecord(apiKeyChanged, envelope(keyId, data)));
  }

  async function publishStatus(status: 'active' | 'paused', ratePerSecond?: number): Promise<void> {
    const data = {
      ...{ integration_id: 'i', platform: 'acme', partner: 'Acme', organizer_id: 'o', status, contracts: [] },
      ...(ratePerSecond !== undefined && { rate_per_second: ratePerSecond }),
    };
    await publish(rows.integrations, 'acme', encodeRecord(integrationChanged, envelope('acme', data)));
  }

  it('has the existing keys after its start, and then follows changes', async () => {
    await publishKey();
    expect(outcome()).toBe('unavailable');
    expect(views.isCaughtUp()).toBe(false);
    await views.start();
    await until('acme');
    expect(views.isCaughtUp()).toBe(true);

    await publishStatus('paused');
    await until('integration_paused');
    await publishStatus('active');
    await until('acme');

    await publishKey({ not_after: Date.now() - 1 });
    await until('unauthorized');
    await publishKey();
    await until('acme');
    await publishKey({ revoked_at: Date.now() });
    await until('unauthorized');
  });

  it('follows the rate of the integration and the scopes of the key', async () => {
    const seen = (): string => {
      const caller = eventKeys.authenticate(`Bearer ${key}`, 'events:read');
      return caller.ok ? caller.rate.header : caller.refusal.code;
    };
    const untilSeen = async (expected: string): Promise<void> => {
      for (const endMs = Date.now() + 20_000; seen() !== expected; await sleep(10))
        if (Date.now() > endMs) throw new Error(`timed out waiting for ${expected}; seen is ${seen()}`);
    };
    await publishKey();
    await untilSeen('40, 40;w=1');
    await publishStatus('active', 250);
    await untilSeen('250, 250;w=1');
    await publishStatus('active');
    await untilSeen('40, 40;w=1');
    await publishKey({ event_scopes: ['events:send'] });
    await untilSeen('forbidden');
    expect(outcome()).toBe('acme');
    await publishKey();
    await untilSeen('40, 40;w=1');
  });

  it('follows data keys too', async () => {
    const made = createUuidKey();
    const publishData = (changes: Partial<ApiKeyData> = {}): Promise<void> =>
      publish(
        rows.apiKeys,
        made.keyId,
        encodeRecord(apiKeyChanged, envelope(made.keyId, dataKeyOf(made.keyId, made.hash, changes))),
      );
    const untilData = async (expected: string): Promise<void> => {
      const dataOutcome = (): string => {
        const caller = dataKeys.authenticate(`Bearer ${made.key}`);
        return caller.ok ? caller.rateLimit : caller.refusal.code;
      };
      for (const endMs = Date.now() + 20_000; dataOutcome() !== expected; await sleep(10))
        if (Date.now() > endMs) throw new Error(`timed out waiting for ${expected}; the outcome is ${dataOutcome()}`);
    };
    await publishData({ rate_per_second: 7 });
    await untilData('7, 7;w=1');
    await publish(rows.apiKeys, made.keyId, Buffer.from('no JSON'));
    await untilData('unavailable');
    await publishData();
    await untilData('1000, 1000;w=1');
    await publishData({ revoked_at: Date.now() });
    await untilData('unauthorized');
    expect(views.keysAgeMs()).toBeLessThan(60_000);
  });

  it('returns 503 for unreadable records until they are readable again', async () => {
    await publish(rows.apiKeys, keyId, Buffer.from('{"type":"linkage.api-key.changed"}'));
    await until('unavailable');
    expect([eventKeys.unreadable(), Number.isFinite(views.ageMs())]).toEqual([1, true]);
    await publishKey();
    await until('acme');
    await publish(rows.integrations, 'acme', Buffer.from('no JSON'));
    await until('unavailable');
    await publishStatus('active');
    await until('acme');
    await publish(rows.apiKeys, keyId, null);
    await until('unauthorized');
    expect(eventKeys.unreadable()).toBe(0);
  });
});
