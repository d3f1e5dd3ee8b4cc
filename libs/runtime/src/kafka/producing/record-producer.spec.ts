import { ProducerBatch, RecordMetadata } from 'kafkajs';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { Clocks } from '../../work';
import { Kafka } from '../client/create-kafka';
import { partitionOf } from './partitioner';
import {
  DeadlineExceededError,
  OutcomeUnknownError,
  PartitionUnavailableError,
  ProducerOverloadedError,
  RecordTooLargeError,
} from './producer-errors';
import { RecordProducer, RecordProducerOptions } from './record-producer';

const topic = { name: 'ingestion.user-events.v1', partitions: 6 };

type SendBatch = (batch: ProducerBatch) => Promise<RecordMetadata[]>;

/** A response that acknowledges all partitions, as from a broker that accepted everything. */
function acknowledgeAll(batch: ProducerBatch): RecordMetadata[] {
  return (batch.topicMessages ?? []).flatMap(({ topic: topicName, messages }) =>
    [...new Set(messages.map((message) => message.partition!))].map((partition) => ({
      topicName,
      partition,
      errorCode: 0,
      baseOffset: '7',
    })),
  );
}

function valuesOf(batch: ProducerBatch): string[] {
  return (batch.topicMessages ?? []).flatMap(({ messages }) => messages.map(({ value }) => String(value)));
}

describe('RecordProducer', () => {
  const sent: string[][] = [];
  let producer: RecordProducer;
  /** The time of the clocks, which stand: no deadline passes before a test has seen what comes before it. */
  let nowMs: number;
  /** By how much the time of day is set forward. */
  let setByMs: number;
  const clocks: Clocks = { timeOfDay: () => 1_700_000_000_000 + nowMs + setByMs, monotonic: () => nowMs };

  async function producerOver(sendBatch: SendBatch, options: Partial<RecordProducerOptions> = {}): Promise<void> {
    const client = {
      connect: () => Promise.resolve(),
      disconnect: () => Promise.resolve(),
      sendBatch: (batch: ProducerBatch) => {
        sent.push(valuesOf(batch));
        return sendBatch(batch);
      },
    };
    producer = new RecordProducer(
      {
        producer: () => client,
        admin: () => ({
          connect: client.connect,
          disconnect: client.disconnect,
          fetchTopicMetadata: () => Promise.resolve({ topics: [] }),
        }),
      } as unknown as Kafka,
      {
        logger: pino({ level: 'silent' }),
        registry: new Registry(),
        topics: [],
        resendPauseMs: 10,
        clocks,
        ...options,
      },
    );
    await producer.start();
  }

  const send = (value: string, options: { key?: string; inMs?: number } = {}) =>
    producer.send(
      { topic, key: options.key ?? 'a', value: Buffer.from(value) },
      { deadlineMs: clocks.timeOfDay() + (options.inMs ?? 2_000) },
    );

  async function untilSent(sends: number): Promise<void> {
    while (sent.length < sends) await new Promise((resolve) => setTimeout(resolve, 1));
  }

  beforeEach(() => {
    sent.length = 0;
    nowMs = 1_000;
    setByMs = 0;
  });

  afterEach(() => producer.stop(0));

  it('sends immediately when idle, then all waiting records, one send in flight', async () => {
    let inFlight = 0;
    await producerOver(async (batch) => {
      expect(++inFlight).toBe(1);
      await new Promise((resolve) => setTimeout(resolve, 10));
      inFlight--;
      return acknowledgeAll(batch);
    });
    const first = send('1');
    await new Promise((resolve) => setTimeout(resolve, 2));
    await Promise.all([first, send('2'), send('3'), send('4')]);
    expect(sent).toEqual([['1'], ['2', '3', '4']]);
  });

  it("uses the key's partition and numbers offsets from the base of its partition", async () => {
    await producerOver((batch) => Promise.resolve(acknowledgeAll(batch)));
    const places = await Promise.all([send('1', { key: 'x' }), send('2', { key: 'x' })]);
    const partition = partitionOf('x', 6);
    expect(places).toEqual([
      { partition, offset: 7n },
      { partition, offset: 8n },
    ]);
  });

  it('gives each record that is sent together its own place or error', async () => {
    const refusal = Object.assign(new Error('too large'), { type: 'MESSAGE_TOO_LARGE' });
    await producerOver((batch) =>
      valuesOf(batch).includes('large') ? Promise.reject(refusal) : Promise.resolve(acknowledgeAll(batch)),
    );
    const records = ['1', 'large', '2'].map((value) => ({ topic, key: 'x', value: Buffer.from(value) }));
    const [first, large, second] = await producer.sendAll(records, { deadlineMs: clocks.timeOfDay() + 2_000 });
    const partition = partitionOf('x', 6);
    expect([first, second].map((each) => 'partition' in each && each.partition)).toEqual([partition, partition]);
    expect(large).toBeInstanceOf(RecordTooLargeError);
    expect(await producer.sendAll([], { deadlineMs: 0 })).toEqual([]);
    const late = await producer.sendAll(records, { deadlineMs: clocks.timeOfDay() - 1 });
    for (const each of late) expect(each).toBeInstanceOf(DeadlineExceededError);
  });

  it('retries records that the response does not confirm, before newer ones (kafkajs issue 1303)', async () => {
    let calls = 0;
    await producerOver((batch) => {
      const reply = acknowledgeAll(batch);
      // The client resolves although one of two brokers never received a request.
      if (++calls === 1) return Promise.resolve(reply.filter(({ partition }) => partition !== partitionOf('b', 6)));
      if (calls === 2) return Promise.resolve(reply.map((part) => ({ ...part, errorCode: 6 })));
      return Promise.resolve(reply);
    });
    expect(partitionOf('a', 6)).not.toBe(partitionOf('b', 6));
    const all = [send('a1', { key: 'a' }), send('b1', { key: 'b' })];
    await all[0];
    all.push(send('b2', { key: 'b' }));
    await Promise.all(all);
    expect(sent).toEqual([
      ['a1', 'b1'],
      ['b1', 'b2'],
      ['b1', 'b2'],
    ]);
  });

  it('acknowledges the other partitions after one copy when one cannot be written', async () => {
    const bad = partitionOf('b', 6);
    await producerOver((batch) =>
      Promise.resolve(
        acknowledgeAll(batch).map((part) => (part.partition === bad ? { ...part, errorCode: 19 } : part)),
      ),
    );
    const keys = ['a', 'b', 'c', 'd', 'e', 'f'].filter((key) => key === 'b' || partitionOf(key, 6) !== bad);
    const records = keys.map((key) => ({ topic, key, value: Buffer.from(key) }));
    const startedMs = performance.now();
    const sending = producer.sendAll(records, { deadlineMs: clocks.timeOfDay() + 200 });
    await untilSent(5);
    // Pauses of 10, 20, 40 and 80 ms.
    expect(performance.now() - startedMs).toBeGreaterThan(140);
    nowMs += 200;
    const results = await sending;
    expect(keys.filter((_, index) => results[index] instanceof OutcomeUnknownError)).toEqual(['b']);
    const copies = sent.flat().filter((value) => value !== 'b');
    expect(copies).toEqual(keys.filter((key) => key !== 'b'));
  });

  it('sends to the other partitions while one does not answer, and to all in order once it does', async () => {
    let answer = (): void => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    let isFirst = true;
    await producerOver(async (batch) => {
      if (isFirst) return ((isFirst = false), []);
      if (valuesOf(batch).includes('b1')) await answered;
      return acknowledgeAll(batch);
    });
    const b1 = send('b1', { key: 'b' });
    await untilSent(2);
    await Promise.all([send('a1'), send('a2')]);
    const b2 = send('b2', { key: 'b' });
    await send('a3');
    answer();
    await Promise.all([b1, b2]);
    await Promise.all([send('a4'), send('b3', { key: 'b' })]);
    expect(sent).toEqual([['b1'], ['b1'], ['a1', 'a2'], ['a3'], ['b2'], ['a4', 'b3']]);
  });

  describe('with a patience for partitions that fail', () => {
    const all = [0, 1, 2, 3, 4, 5];
    const bad = partitionOf('b', 6);
    const expected = all.map((partition) =>
      partition === bad ? expect.any(OutcomeUnknownError) : { partition, offset: 7n },
    );
    let isBad: boolean;
    let held: Promise<void> | undefined;
    let underWay = 0;
    const sendTo = (partitions: readonly number[], asideMs?: number) =>
      producer.sendAll(
        partitions.map((partition) => ({ topic, key: 'k', partition, value: Buffer.from('v') })),
        { deadlineMs: clocks.timeOfDay() + 3_000, asideMs },
      );
    /** Lets the partition be retried, then a second pass at once, in which its record expires. */
    async function failForASecond(): Promise<void> {
      const sending = expect(send('b', { key: 'b', inMs: 1_000 })).rejects.toBeInstanceOf(OutcomeUnknownError);
      await untilSent(2);
      nowMs += 1_000;
      await sending;
      // The record may expire before the send that has it is over.
      while (underWay > 0) await new Promise((resolve) => setTimeout(resolve, 1));
    }
    /** Whether none has a result after the producer has looked for expired records, which it does every 20 ms. */
    async function areWaiting(...sends: Promise<unknown>[]): Promise<boolean> {
      const passed = new Promise((resolve) => setTimeout(() => resolve('passed'), 60));
      return (await Promise.race([...sends, passed])) === 'passed';
    }

    beforeEach(async () => {
      isBad = true;
      held = undefined;
      await producerOver(async (batch) => {
        underWay++;
        await new Promise((resolve) => setTimeout(resolve, 10));
        await held;
        underWay--;
        const reply = acknowledgeAll(batch);
        return isBad ? reply.map((part) => (part.partition === bad ? { ...part, errorCode: 19 } : part)) : reply;
      });
    });

    it('answers soon once a partition has failed for a second, and retries it with further records', async () => {
      await failForASecond();
      const sends = sent.length;
      const sending = sendTo(all, 60);
      await untilSent(sends + 2);
      nowMs += 60;
      expect(await sending).toEqual(expected);
      isBad = false;
      expect(await sendTo([bad], 1_000)).toEqual([{ partition: bad, offset: 7n }]);
    });

    it('waits for a partition that has just failed, also for the records whose send failed', async () => {
      const discovering = sendTo(all, 20);
      await untilSent(2);
      nowMs += 500;
      const later = sendTo([bad], 20);
      nowMs += 499;
      expect(await areWaiting(discovering, later)).toBe(true);
      isBad = false;
      expect(await later).toMatchObject([{ partition: bad }]);
      expect(await discovering).toHaveLength(6);
      expect((await discovering).filter((each) => each instanceof Error)).toEqual([]);
    });

    it('waits for it no longer than a second, whatever the deadline', async () => {
      const sending = sendTo(all, 20);
      await untilSent(1);
      const queued = sendTo(all, 20);
      await untilSent(3);
      nowMs += 999;
      expect(await areWaiting(sending, queued)).toBe(true);
      nowMs += 1;
      for (const results of await Promise.all([sending, queued])) expect(results).toEqual(expected);
    });

    it('says of a record that was not sent that it is not in the topic', async () => {
      await failForASecond();
      let release = (): void => undefined;
      held = new Promise((resolve) => (release = resolve));
      const sends = sent.length;
      const attempted = sendTo([bad], 1_000);
      await untilSent(sends + 1);
      // A retry of the partition is in flight, so this record is not sent.
      const unsent = sendTo([bad], 1);
      nowMs += 1;
      expect(await unsent).toEqual([expect.any(PartitionUnavailableError)]);
      nowMs += 1_000;
      expect(await attempted).toEqual([expect.any(OutcomeUnknownError)]);
      release();
    });

    it('has the whole time of records without one', async () => {
      await failForASecond();
      const patient = sendTo([bad]);
      nowMs += 2_999;
      expect(await areWaiting(patient)).toBe(true);
      isBad = false;
      expect(await patient).toEqual([{ partition: bad, offset: 7n }]);
    });
  });

  it('sends each partition on its own after a send that fails as a whole', async () => {
    await producerOver((batch) =>
      valuesOf(batch).includes('b') ? Promise.reject(new Error('unreachable')) : Promise.resolve(acknowledgeAll(batch)),
    );
    const records = ['a', 'b'].map((key) => ({ topic, key, value: Buffer.from(key) }));
    const sending = producer.sendAll(records, { deadlineMs: clocks.timeOfDay() + 60_000 });
    await untilSent(3);
    nowMs += 60_000;
    const [a, b] = await sending;
    expect([a, b]).toEqual([{ partition: partitionOf('a', 6), offset: 7n }, expect.any(OutcomeUnknownError)]);
  });

  it.each([
    ['forward', 3_600_000],
    ['back', -3_600_000],
  ])('keeps the deadline of records that wait when the time of day is set %s', async (_direction, stepMs) => {
    let answer: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    await producerOver(async (batch) => {
      if (valuesOf(batch)[0] === 'acknowledged') await held;
      else await new Promise(() => undefined);
      return acknowledgeAll(batch);
    });
    const acknowledged = send('acknowledged', { inMs: 200 });
    setByMs = stepMs;
    // The producer looks for expired records every 20 ms.
    await new Promise((resolve) => setTimeout(resolve, 60));
    answer();
    expect(await acknowledged).toMatchObject({ offset: 7n });
    setByMs = 0;
    const lost = send('lost', { inMs: 200 });
    setByMs = stepMs;
    await untilSent(2);
    nowMs += 200;
    await expect(lost).rejects.toBeInstanceOf(OutcomeUnknownError);
  });

  it('retries after an error until the deadline, then reports an unknown outcome', async () => {
    await producerOver(() => Promise.reject(new Error('NOT_LEADER')));
    const sending = expect(send('1', { inMs: 60_000 })).rejects.toBeInstanceOf(OutcomeUnknownError);
    await untilSent(3);
    nowMs += 60_000;
    await sending;
  });

  it('responds at the deadline while a send hangs, and does not send records that are still waiting', async () => {
    await producerOver(() => new Promise(() => undefined));
    const hanging = expect(send('1', { inMs: 60 })).rejects.toBeInstanceOf(OutcomeUnknownError);
    await untilSent(1);
    const waiting = expect(send('2', { inMs: 60 })).rejects.toBeInstanceOf(DeadlineExceededError);
    nowMs += 60;
    await Promise.all([hanging, waiting]);
    await expect(send('3', { inMs: -1 })).rejects.toBeInstanceOf(DeadlineExceededError);
    expect(sent).toEqual([['1']]);
  });

  it('halves a batch that is too large until the faulty record is alone', async () => {
    await producerOver((batch) =>
      valuesOf(batch).includes('big')
        ? Promise.reject(Object.assign(new Error('too large'), { type: 'MESSAGE_TOO_LARGE' }))
        : Promise.resolve(acknowledgeAll(batch)),
    );
    const results = await Promise.allSettled(['1', '2', 'big', '3', '4'].map((value) => send(value)));
    expect(results.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
    ]);
    expect((results[2] as PromiseRejectedResult).reason).toBeInstanceOf(RecordTooLargeError);
  });

  it('keeps batches under their size per partition, and the order', async () => {
    await producerOver((batch) => Promise.resolve(acknowledgeAll(batch)), { maxBatchBytes: 250 });
    await Promise.all(['1', '2', '3', '4', '5', '6', '7'].map((value) => send(value)));
    expect(sent).toEqual([['1', '2', '3'], ['4', '5', '6'], ['7']]);
  });

  it('refuses records above its bounds', async () => {
    await producerOver(() => new Promise(() => undefined), { maxQueueRecords: 2 });
    const inside = [send('1', { inMs: 50 }), send('2', { inMs: 50 })];
    await expect(send('3')).rejects.toBeInstanceOf(ProducerOverloadedError);
    nowMs += 50;
    await Promise.allSettled(inside);
    const later = expect(send('4', { inMs: 10 })).rejects.not.toBeInstanceOf(ProducerOverloadedError);
    nowMs += 10;
    await later;
  });

  it('stops within its bound after sending the records in progress', async () => {
    await producerOver(async (batch) => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      return acknowledgeAll(batch);
    });
    const records = [send('1'), send('2')];
    const stopped = producer.stop();
    await expect(send('3')).rejects.toBeInstanceOf(ProducerOverloadedError);
    await stopped;
    await expect(Promise.all(records)).resolves.toHaveLength(2);
  });
});
