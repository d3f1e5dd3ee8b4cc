import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { topics } from '@podium/messages';
import { Kafka } from '@podium/runtime/kafka';
import { Consumer, EachMessagePayload } from 'kafkajs';
import { Pool } from 'undici';
import { BenchStack } from './bench-stack';
import { eventBody } from './event-requests';
import { floorTopic } from './floor-topic';

/** Times in ms, one per sample. */
export interface AwardLatency {
  /** From the 200 until a consumer of its topic receives the award. */
  readonly acceptToAward: readonly number[];
  /** From the request to its 200. */
  readonly requestToAccept: readonly number[];
  /** From the send of a bare producer until a bare consumer receives the record. */
  readonly roundTrip: readonly number[];
}

const warmUpSamples = 40;

/** Measures alternately, one at a time: an event until its award, and a bare Kafka round trip. The stack is otherwise idle. */
export async function measureAwardLatency(bench: BenchStack, samples: number): Promise<AwardLatency> {
  const { kafka, stack, awarded } = bench;
  const awards = await Arrivals.start(kafka, topics.awards.name, (value) => {
    const { data } = JSON.parse(value) as { data: { user_id: string } };
    return data.user_id;
  });
  const echoes = await Arrivals.start(kafka, floorTopic.name, (value) => value);
  const producer = kafka.producer({ retry: { retries: 0 } });
  await producer.connect();
  const gateway = new Pool(stack.services.publicUrl, { connections: 1 });
  const latency = { acceptToAward: [] as number[], requestToAccept: [] as number[], roundTrip: [] as number[] };
  for (let sample = -warmUpSamples; sample < samples; sample++) {
    const { platform, key, platformUserIds } = awarded[(sample + warmUpSamples) % awarded.length];
    // Random pauses, so that samples do not synchronise with a poll interval.
    await sleep(Math.random() * 40);
    const award = awards.next(`user-of-${platformUserIds[0]}`);
    const body = eventBody(platform, platformUserIds[0], randomUUID(), Math.floor(Date.now() / 1000));
    const requestMs = performance.now();
    await post(gateway, key, body);
    const acceptMs = performance.now();
    const awardMs = await award;
    await sleep(Math.random() * 40);
    const id = randomUUID();
    const echo = echoes.next(id);
    const produceMs = performance.now();
    await producer.send({ topic: floorTopic.name, acks: -1, messages: [{ key: id, value: id }] });
    const echoMs = await echo;
    if (sample < 0) continue;
    latency.acceptToAward.push(awardMs - acceptMs);
    latency.requestToAccept.push(acceptMs - requestMs);
    latency.roundTrip.push(echoMs - produceMs);
  }
  await Promise.all([awards.stop(), echoes.stop(), producer.disconnect(), gateway.close()]);
  return latency;
}

async function post(gateway: Pool, key: string, body: string): Promise<void> {
  const { statusCode, body: responseBody } = await gateway.request({
    method: 'POST',
    path: '/cdp/v1/users/events/send',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body,
  });
  const text = await responseBody.text();
  if (statusCode !== 200) throw new Error(`the response to an event was ${statusCode}: ${text}`);
}

const arrivalMs = 10_000;

/** A bare consumer that resolves when a record with an expected name arrives. */
class Arrivals {
  private readonly waiting = new Map<string, (atMs: number) => void>();

  private constructor(
    private readonly consumer: Consumer,
    private readonly nameOf: (value: string) => string,
  ) {}

  /** Joins a new group at the topic's end; resolves once it fetches. */
  static async start(kafka: Kafka, topic: string, nameOf: (value: string) => string): Promise<Arrivals> {
    const consumer = kafka.consumer({ groupId: `bench-${randomUUID()}`, maxWaitTimeInMs: 50, minBytes: 1 });
    const arrivals = new Arrivals(consumer, nameOf);
    await consumer.connect();
    await consumer.subscribe({ topic, fromBeginning: false });
    const fetched = new Promise<void>((resolve) => consumer.on(consumer.events.FETCH, () => resolve()));
    await consumer.run({ eachMessage: (payload) => arrivals.take(payload) });
    await fetched;
    return arrivals;
  }

  /** Resolves with the time (performance.now) at which the record with this name arrives; rejects after 10 s. */
  next(name: string): Promise<number> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${name} did not arrive within ${arrivalMs} ms`)), arrivalMs);
      this.waiting.set(name, (atMs) => {
        clearTimeout(timer);
        resolve(atMs);
      });
    });
  }

  async stop(): Promise<void> {
    await this.consumer.disconnect();
  }

  private async take({ message }: EachMessagePayload): Promise<void> {
    const atMs = performance.now();
    const name = this.nameOf(message.value?.toString() ?? '');
    this.waiting.get(name)?.(atMs);
    this.waiting.delete(name);
  }
}
