import { ConsumerGroup, TopicRow, topics } from '@podium/messages';
import { freshName, localStack } from '@podium/testing';
import { ConfigResourceTypes, IHeaders, KafkaMessage } from 'kafkajs';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { createKafka } from '../client/create-kafka';
import { referenceHeader, referenceOf, referenceText } from './dead-letter-reference';
import { DeadLetters, deadLetterHeaders, deadLetterTopic } from './dead-letters';
import { ensureTopics } from '../topic-administration/ensure-topics';
import { referenceTo, valueDigest } from './dead-letter-size';
import { RecordProducer } from '../producing/record-producer';
import { redriveHeaders, redriveTopic, redrivenRecord } from './redrive';
import { ScannedRecord, scanTopics } from '../reading/scan-topic';

const logger = pino({ level: 'silent' });
const kafka = createKafka({ brokers: [...localStack().kafkaBrokers], clientId: 'spec', logger });
const group = freshName('letters-spec') as ConsumerGroup;
const row: TopicRow = { ...topics.userEvents, name: freshName('source'), partitions: 1, consumers: [group] };
const letterTopic = deadLetterTopic(group, row).name;
const megabyte = 1024 * 1024;

const bytes = (length: number): Buffer => Buffer.alloc(length, 'x');

describe('a dead letter', () => {
  const producer = new RecordProducer(kafka, { logger, registry: new Registry(), topics: [] });
  const admin = kafka.admin();
  const letters = new DeadLetters(producer, group);

  beforeAll(async () => {
    await ensureTopics(kafka, [row], { replicationFactor: 1, minInsyncReplicas: 1 });
    await Promise.all([admin.connect(), producer.start()]);
  });

  afterAll(async () => {
    await producer.stop();
    await admin.deleteTopics({ topics: [row.name, letterTopic, redriveTopic(group, row).name] });
    await admin.disconnect();
  });

  it('carries the whole record if it fits, even if the source would not accept it uncompressed', async () => {
    const letter = await die({ key: bytes(10), value: bytes(7 * megabyte), headers: { tenant: 'acme' } });
    expect([letter.key?.length, letter.value?.length]).toEqual([10, 7 * megabyte]);
    expect(letter.headers).toMatchObject({ tenant: 'acme', [deadLetterHeaders.reason]: 'a defect' });
    expect(referenceOf(letter.headers)).toBeUndefined();
  });

  it.each([
    ['a value that the topic does not take', { value: bytes(9 * megabyte) }, { value: 64 * 1024, tenant: 'acme' }],
    ['a value larger than is ever offered', { value: bytes(40 * megabyte) }, { value: 64 * 1024, tenant: 'acme' }],
    ['a large key', { key: bytes(9 * megabyte) }, { key: 4 * 1024, value: 3, tenant: 'acme' }],
    ['large headers', { headers: { tenant: 'acme', huge: bytes(9 * megabyte) } }, { key: 3, value: 3, tenant: 'acme' }],
    [
      'large headers first',
      { headers: { huge: bytes(9 * megabyte), tenant: 'acme' } },
      { value: 3, tenant: undefined },
    ],
    [
      'no value and large headers',
      { value: null, headers: { huge: bytes(9 * megabyte) } },
      { key: 3, value: undefined },
    ],
  ])('refers to its record, with as much of it as there is room for: %s', async (_what, parts, expected) => {
    const message = { key: bytes(3), value: bytes(3), headers: { tenant: 'acme' }, ...parts };
    const letter = await die(message);
    expect(referenceOf(letter.headers)).toEqual({
      kind: 'record',
      topic: row.name,
      partition: 0,
      firstOffset: 17n,
      lastOffset: 17n,
      digest: valueDigest(message.value),
      sizeBytes: message.value?.length ?? 0,
    });
    const found = { key: letter.key?.length, value: letter.value?.length, tenant: letter.headers.tenant };
    expect(found).toMatchObject(expected);
    expect(letter.headers).toMatchObject({
      [deadLetterHeaders.topic]: row.name,
      [deadLetterHeaders.offset]: '17',
      [deadLetterHeaders.reason]: 'a defect',
    });
    expect(letter.headers).not.toHaveProperty('huge');
  });

  it("keeps repeated headers and headers without a value, and drops those with the service's own names", async () => {
    const reference = referenceTo({ topic: row.name, partition: 0 }, messageOf({ value: bytes(1) }));
    const headers = {
      empty: null as unknown as Buffer,
      twice: ['a', 'b'],
      [referenceHeader]: referenceText(reference),
      [redriveHeaders.of]: '0:1',
      [deadLetterHeaders.redrives]: '7',
    };
    const letter = await die({ value: bytes(1), headers });
    expect(letter.rawHeaders.empty?.length).toBe(0);
    expect((letter.rawHeaders.twice as Buffer[]).map(String)).toEqual(['a', 'b']);
    for (const name of [referenceHeader, redriveHeaders.of, deadLetterHeaders.redrives])
      expect(letter.headers).not.toHaveProperty(name);
    expect(letter.headers).toMatchObject({ [deadLetterHeaders.offset]: '17' });
    const again = redrivenRecord(group, row, { ...letter, rawHeaders: headers }, { nowMs: Date.now(), isLast: true });
    await expect(producer.send(again, { deadlineMs: Date.now() + 5_000 })).resolves.toMatchObject({ partition: 0 });
  });

  it('always fits: the reference, the position, the reason and the beginning of the key', async () => {
    const configEntries = [{ name: 'max.message.bytes', value: '8192' }];
    await admin.alterConfigs({
      validateOnly: false,
      resources: [{ type: ConfigResourceTypes.TOPIC, name: letterTopic, configEntries }],
    });
    const headers = { huge: bytes(5_000) };
    const letter = await die({ key: bytes(5_000), value: bytes(5_000), headers }, 'long '.repeat(1_000));
    expect([letter.key?.length, letter.value]).toEqual([1_024, null]);
    expect(referenceOf(letter.headers)).toMatchObject({ digest: valueDigest(bytes(5_000)), sizeBytes: 5_000 });
    expect(letter.headers[deadLetterHeaders.reason]).toHaveLength(1_000);
  });

  /** Writes a record of offset 17 to the dead letters and returns the letter. */
  async function die(parts: Partial<KafkaMessage>, reason = 'a defect'): Promise<ScannedRecord> {
    const [{ high: from }] = await admin.fetchTopicOffsets(letterTopic);
    await letters.write({ row, topic: row.name, partition: 0 }, messageOf(parts), { reason, attempts: 3 });
    const found: ScannedRecord[] = [];
    await scanTopics({
      kafka,
      logger,
      ranges: [{ topic: letterTopic, partition: 0, from: BigInt(from), to: BigInt(from) + 10n }],
      onRecords: (records) => void found.push(...records),
    });
    expect(found).toHaveLength(1);
    return found[0];
  }
});

function messageOf(parts: { key?: Buffer | null; value?: Buffer | null; headers?: IHeaders }): KafkaMessage {
  return { key: null, value: null, timestamp: '1', attributes: 0, offset: '17', headers: {}, ...parts };
}
