import fastify, { FastifyInstance, LightMyRequestResponse } from 'fastify';
import {
  BatchedEvent,
  IntegrationData,
  RecordOf,
  decodeAnswers,
  decodeRecord,
  encodeEvents,
  encodeRecord,
  eventBatchContentType,
  eventBatchPath,
  eventValidationPath,
  formerDeadlineHeader,
  integrationChanged,
  notProducedHeader,
  recordKey,
  timeLeftHeader,
  topics,
  userEventAccepted,
} from '@podium/messages';
import { fixed } from '@podium/runtime/config';
import { InternalToken } from '@podium/runtime/http';
import { CompactedTopicView, Kafka, RecordProducer, createKafka, ensureTopics } from '@podium/runtime/kafka';
import { createLog } from '@podium/runtime/log';
import { Registry } from '@podium/runtime/metrics';
import { Pool, createPool, queryable } from '@podium/runtime/postgres';
import { FastRedis } from '@podium/runtime/redis';
import { FreshDatabase, freshDatabase, freshName, localStack } from '@podium/testing';
import { Contracts, createContractView } from '../contract-view/contracts';
import { EventMarks } from '../dedup/event-marks';
import { InFlightEvents } from '../dedup/in-flight-events';
import { MarkGeneration } from '../dedup/mark-generation';
import { LinkView } from '../link-view/link-view';
import { LinksStore } from '../link-view/links.store';
import { migrations, schema } from '../migrations';
import { EventPublisher } from '../publishing/event-publisher';
import { DriftCounts } from '../drift/drift-counts';
import { RefusalCounts } from '../refusals/refusal-counts';
import { RefusedEvents } from '../refusals/refused-events';
import { AdmissionMetrics } from './admission-metrics';
import { BatchAdmission } from './admit-batch';
import { EventIntake } from './event-intake';
import { EventValidation } from './event-validation';
import { integration } from '../../test/admission-world';

const logger = createLog({ service: 'test', instance: 'test', level: 'silent' });
const userEvents = { ...topics.userEvents, name: freshName('user-events'), consumers: [] };
const integrations = { ...topics.integrations, name: freshName('integrations') };
const acme = freshName('acme');
const zenith = freshName('zenith');

/** One instance of ingestion on real servers, with its own topics. */
class Instance {
  readonly registry = new Registry();
  readonly contracts = new Contracts();
  readonly refusals = new RefusalCounts();
  readonly http: FastifyInstance = fastify();
  readonly redis: FastRedis;
  readonly producer: RecordProducer;
  readonly view: CompactedTopicView<typeof integrationChanged>;

  constructor(kafka: Kafka, pool: Pool, redisUrl: string) {
    const { registry, contracts, refusals } = this;
    // Long timeouts, so that a busy machine does not fail the test.
    this.redis = new FastRedis({ url: redisUrl, commandTimeoutMs: 10_000 }, logger, registry);
    this.producer = new RecordProducer(kafka, { logger, registry, topics: [userEvents] });
    this.view = createContractView(contracts, {
      kafka,
      instance: 'test',
      logger,
      registry,
      row: integrations,
      onFatal: (error) => {
        throw error;
      },
    });
    const generation = new MarkGeneration(queryable(pool));
    const marks = new EventMarks(this.redis, { lifetimeS: 60, generation }, registry);
    const links = new LinkView(new LinksStore(queryable(pool)), { isPassedOn: () => true }, registry);
    const admission = new BatchAdmission({
      marks,
      inFlightEvents: new InFlightEvents(),
      contracts,
      links,
      publisher: new EventPublisher(this.producer, userEvents),
      ...{ refusals, refusedEvents: new RefusedEvents(), drift: new DriftCounts() },
      metrics: new AdmissionMetrics(registry),
      logger,
    });
    const parts = { admission, validation: new EventValidation({ marks, contracts, links, logger }) };
    const token = new InternalToken(fixed(['the-token']));
    const intake = new EventIntake(parts, token, { maxInFlightEvents: 50, logger }, registry);
    void intake.register(this.http);
  }

  async start(): Promise<void> {
    await this.redis.start();
    await this.producer.start();
    await this.view.start();
    await this.http.ready();
  }

  async stop(): Promise<void> {
    await this.http.close();
    await this.view.stop();
    await this.producer.stop(100);
    await this.redis.stop();
  }

  post(
    payload: Buffer,
    headers: Record<string, string> = {},
    url: string = eventBatchPath,
  ): Promise<LightMyRequestResponse> {
    return this.http.inject({
      method: 'POST',
      url,
      headers: { 'content-type': eventBatchContentType, 'x-podium-internal-token': 'the-token', ...headers },
      payload,
    });
  }

  async outcomes(...events: BatchedEvent[]): Promise<string[]> {
    const response = await this.post(encodeEvents(events));
    return decodeAnswers(response.rawPayload).map(({ body }) => {
      const parsed = JSON.parse(body.toString()) as { outcome?: string; error?: { code: string } };
      return parsed.outcome ?? parsed.error?.code ?? '';
    });
  }
}

describe('event intake', () => {
  const { kafkaBrokers, redisUrl } = localStack();
  const kafka = createKafka({ brokers: [...kafkaBrokers], clientId: 'test', logger });
  let database: FreshDatabase;
  let pool: Pool;
  let instance: Instance;
  let integrationProducer: RecordProducer;

  beforeAll(async () => {
    database = await freshDatabase({ schema, migrations });
    pool = createPool({ url: database.url, size: 4, service: 'test' }, logger, new Registry());
    await ensureTopics(kafka, [userEvents, integrations], { replicationFactor: 1, minInsyncReplicas: 1 });
    integrationProducer = new RecordProducer(kafka, { logger, registry: new Registry(), topics: [integrations] });
    await integrationProducer.start();
    for (const platform of [acme, zenith]) {
      await writeIntegration(platform, 1);
      await new LinksStore(queryable(pool)).upsert([{ revision: 1, data: linkData(platform) }]);
    }
    instance = new Instance(kafka, pool, redisUrl);
    await instance.start();
  }, 60_000);

  afterAll(async () => {
    await instance.stop();
    await integrationProducer.stop();
    const admin = kafka.admin();
    await admin.connect();
    await admin.deleteTopics({ topics: [userEvents.name, integrations.name] });
    await admin.disconnect();
    await pool.end();
    await database.drop();
  }, 60_000);

  function writeIntegration(
    platform: string,
    revision: number,
    change: Partial<IntegrationData> = {},
  ): Promise<unknown> {
    const key = recordKey(platform);
    const value = encodeRecord(integrationChanged, {
      id: `${platform}-${revision}`,
      revision,
      occurred_at: Date.now(),
      key,
      source: 'linkage',
      data: { ...integration(platform), ...change },
    });
    return integrationProducer.send({ topic: integrations, key, value }, { deadlineMs: Date.now() + 5000 });
  }

  it('writes an accepted event with all results of the checks, and reports its resend as a duplicate', async () => {
    const sent = { ...event(acme, 'whole'), traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' };
    expect(await instance.outcomes(sent)).toEqual(['accepted']);
    expect(await instance.outcomes(sent)).toEqual(['duplicate']);
    expect(await instance.outcomes(event(zenith, 'whole'))).toEqual(['accepted']);
    const records = (await readAll(kafka)).filter(({ data }) => data.event.id === 'whole');
    expect(records).toHaveLength(2);
    expect(records.find(({ data }) => data.platform === acme)).toMatchObject({
      type: 'ingestion.user-event.accepted',
      key: recordKey(acme, 'p-1'),
      traceparent: sent.traceparent,
      data: {
        platform_user_id: 'p-1',
        event: { name: 'deposit', created_at: 1_700_000_000, attributes: [{ name: 'amount', value: '10' }] },
        user_id: `user-of-${acme}`,
        link_id: 'l-1',
        linked_at: 1_690_000_000,
        integration_id: `integration-of-${acme}`,
        organizer_id: 'org-1',
        kind: 'repeatable',
        contract_version: 1,
        dropped_attributes: ['campaign'],
        received_at: sent.receivedAtMs,
      },
    });
    // Equal ids of two platforms are two records (V5).
    expect(new Set(records.map(({ id }) => id)).size).toBe(2);
  });

  it('writes equal events of concurrent batches once', async () => {
    const batches = Array.from({ length: 8 }, () => instance.outcomes(event(acme, 'twin'), event(acme, 'twin')));
    expect((await Promise.all(batches)).flat()).toEqual(Array(16).fill('accepted'));
    expect((await readAll(kafka)).filter(({ data }) => data.event.id === 'twin')).toHaveLength(1);
  });

  it('leaves no mark after a failed send: the retry goes to Kafka', async () => {
    const broken = new Instance(kafka, pool, redisUrl);
    await broken.start();
    await broken.producer.stop();
    expect(await broken.outcomes(event(acme, 'retried'))).toEqual(['overloaded']);
    expect(await instance.outcomes(event(acme, 'retried'))).toEqual(['accepted']);
    await broken.stop();
  });

  it('accepts events without marks while Redis is unavailable', async () => {
    const alone = new Instance(kafka, pool, 'redis://127.0.0.1:1');
    await alone.start();
    expect(await alone.outcomes(event(acme, 'unmarked'))).toEqual(['accepted']);
    expect(await alone.outcomes(event(acme, 'unmarked'))).toEqual(['accepted']);
    // The same record is written twice: consumers drop the second by its id.
    const records = (await readAll(kafka)).filter(({ data }) => data.event.id === 'unmarked');
    expect(new Set(records.map(({ id }) => id)).size).toBe(1);
    await alone.stop();
  });

  it('returns 503 while the link view is unavailable', async () => {
    const nowhere = { url: 'postgres://nobody@127.0.0.1:1/none', size: 1, service: 'test' };
    const gone = createPool(nowhere, logger, new Registry());
    const blind = new Instance(kafka, gone, redisUrl);
    await blind.start();
    expect(await blind.outcomes(event(acme, 'blind'), event(acme, 'other', 'none'))).toEqual([
      'unavailable',
      'event_not_negotiated',
    ]);
    await blind.stop();
    await gone.end();
  });

  it('follows the contract topic: a new version applies from its time of receipt, an unreadable record causes 503', async () => {
    const changeMs = Date.now() + 60_000;
    const [first] = integration(zenith).contracts;
    const second = {
      version: 2,
      in_force_from: changeMs,
      events: [...first.events, { name: 'bet', kind: 'one_off' as const, attributes: [] }],
    };
    await writeIntegration(zenith, 2, { contracts: [first, second] });
    await until(() => instance.contracts.of(zenith)?.versions.length === 2);
    const bet = event(zenith, 'bet-1', 'bet');
    expect(await instance.outcomes({ ...bet, receivedAtMs: changeMs - 1 })).toEqual(['event_not_negotiated']);
    expect(await instance.outcomes({ ...bet, receivedAtMs: changeMs })).toEqual(['accepted']);

    const key = recordKey(zenith);
    await integrationProducer.send(
      { topic: integrations, key, value: Buffer.from('{"type":"?"}') },
      { deadlineMs: Date.now() + 5000 },
    );
    await until(() => instance.contracts.of(zenith) === undefined);
    expect(await instance.outcomes(event(zenith, 'e-2'), event(acme, 'e-2'))).toEqual(['unavailable', 'accepted']);
    await writeIntegration(zenith, 3);
    await until(() => instance.contracts.of(zenith) !== undefined);
    expect(await instance.outcomes(event(zenith, 'e-2'))).toEqual(['accepted']);
  });

  it.each([-3_600_000, 3_600_000])('does not depend on the gateway’s clock, which differs by %i ms', async (skewMs) => {
    const headers = { [timeLeftHeader]: '3900', [formerDeadlineHeader]: String(Date.now() + skewMs + 3_900) };
    const response = await instance.post(encodeEvents([event(acme, `skew${skewMs}`)]), headers);
    expect(decodeAnswers(response.rawPayload)).toMatchObject([{ status: 200 }]);
  });

  it('marks responses whose events were not produced', async () => {
    const responseOf = async (timeLeft: string, ...events: BatchedEvent[]): Promise<unknown[]> => {
      const response = await instance.post(encodeEvents(events), { [timeLeftHeader]: timeLeft });
      const statuses = decodeAnswers(response.rawPayload).map(({ status }) => status);
      return [...statuses, response.headers[notProducedHeader]];
    };
    expect(await responseOf('4000', event(acme, 'sure'))).toEqual([200, '1']);
    // The remaining time is too short for Kafka.
    expect(await responseOf('100', event(acme, 'never-sent'))).toEqual([503, '1']);
  });

  describe('refuses the whole frame', () => {
    const frame = encodeEvents([event(acme, 'frame')]);

    it.each([
      ['without the internal token', frame, { 'x-podium-internal-token': '' }, 401, 'unauthorized'],
      ['that is truncated', frame.subarray(0, 20), {}, 400, 'invalid_request'],
      ['of another content type', frame, { 'content-type': 'application/octet-stream' }, 415, 'unsupported_media_type'],
      ['that is too large', Buffer.alloc(3 * 1024 * 1024), {}, 413, 'payload_too_large'],
      ['without remaining time', frame, { [timeLeftHeader]: '0' }, 503, 'unavailable'],
      ['with an invalid remaining time', frame, { [timeLeftHeader]: 'soon' }, 400, 'invalid_request'],
    ])('%s', async (_name, payload, headers, status, code) => {
      const response = await instance.post(payload, headers as Record<string, string>);
      expect(response.statusCode).toBe(status);
      expect(response.json()).toMatchObject({ error: { code } });
      expect(response.headers[notProducedHeader]).toBe('1');
    });

    it('above its limit of events in flight', async () => {
      const half = (name: string): Buffer =>
        encodeEvents(Array.from({ length: 40 }, (_, index) => event(acme, `${name}-${index}`)));
      const responses = await Promise.all([instance.post(half('a')), instance.post(half('b'))]);
      expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([200, 503]);
      expect((await instance.post(half('b'))).statusCode).toBe(200);
    });
  });

  it.each(['\0', '\ud800'])('validates identifiers with %j, which Postgres does not store', async (bad) => {
    const sent = event(acme, bad, bad);
    const body = Buffer.from(sent.body.toString().replace('"p-1"', JSON.stringify(bad)));
    const response = await instance.post(encodeEvents([{ ...sent, body }]), {}, eventValidationPath);
    expect(decodeAnswers(response.rawPayload)).toMatchObject([{ status: 200 }]);
  });

  it('counts events by platform and outcome', async () => {
    await instance.outcomes(event(acme, 'counted'), event(acme, 'counted-2', 'none'));
    const metrics = await instance.registry.metrics();
    expect(metrics).toMatch(
      new RegExp(`ingestion_events_total\\{platform="${acme}",outcome="accepted",code=""\\} [1-9]`),
    );
    expect(metrics).toMatch(
      new RegExp(`ingestion_events_total\\{platform="${acme}",outcome="refused",code="event_not_negotiated"\\} 1`),
    );
    expect(metrics).toMatch(new RegExp(`ingestion_events_total\\{platform="${acme}",outcome="twin",code=""\\} 15`));
    expect(instance.refusals.take()).toContainEqual(
      expect.objectContaining({ platform: acme, code: 'event_not_negotiated' }),
    );
  });
});

function event(platform: string, id: string, name = 'deposit'): BatchedEvent {
  const attributes = [
    { name: 'amount', value: '10' },
    { name: 'campaign', value: 'x' },
  ];
  const body = { platform, platform_user_id: 'p-1', event: { id, name, created_at: 1_700_000_000, attributes } };
  return {
    platform,
    requestId: 'r-1',
    receivedAtMs: Date.now(),
    traceparent: '',
    body: Buffer.from(JSON.stringify(body)),
  };
}

function linkData(platform: string): Parameters<LinksStore['upsert']>[0][number]['data'] {
  return {
    link_id: 'l-1',
    integration_id: `integration-of-${platform}`,
    platform,
    platform_user_id: 'p-1',
    user_id: `user-of-${platform}`,
    organizer_id: 'org-1',
    state: 'ready',
    linked_at: 1_690_000_000,
  };
}

/** All records in the events' topic. */
async function readAll(kafka: Kafka): Promise<RecordOf<typeof userEventAccepted>[]> {
  const admin = kafka.admin();
  await admin.connect();
  const ends = await admin.fetchTopicOffsets(userEvents.name);
  await admin.disconnect();
  const wanted = ends.reduce((sum, { high }) => sum + Number(high), 0);
  const records: RecordOf<typeof userEventAccepted>[] = [];
  const consumer = kafka.consumer({ groupId: freshName('read-all'), maxWaitTimeInMs: 50 });
  await consumer.connect();
  await consumer.subscribe({ topics: [userEvents.name], fromBeginning: true });
  await consumer.run({
    eachMessage: async ({ message }) => {
      const decoded = decodeRecord([userEventAccepted], message.value);
      if (!decoded.ok) throw new Error(decoded.reason);
      records.push(decoded.record);
    },
  });
  await until(() => records.length >= wanted);
  await consumer.disconnect();
  return records;
}

async function until(holds: () => boolean): Promise<void> {
  const endMs = Date.now() + 15_000;
  while (!holds()) {
    if (Date.now() > endMs) throw new Error('timed out after 15 s');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
