import { BatchOptions, BatchRecord, recordBatch, withChecksum } from '@podium/testing/record-batch';
import { KafkaMessage } from 'kafkajs';
import { version } from 'kafkajs/package.json';
import apiKeys from 'kafkajs/src/protocol/requests/apiKeys';
import fetchResponse from 'kafkajs/src/protocol/requests/fetch/v11/response';
import { lookup, requests } from 'kafkajs/src/protocol/requests';
import { pino } from 'pino';
import { createKafka } from '../client/create-kafka';
import { EmptyFetch, watchEmptyFetches } from './empty-fetches';
import { undecodableOf } from './undecodable-message';

createKafka({ brokers: ['127.0.0.1:1'], clientId: 'spec', logger: pino({ level: 'silent' }) });

interface Partition {
  readonly errorCode?: number;
  readonly records: Buffer;
  /** Producer and first offset of each aborted transaction. */
  readonly aborted?: readonly (readonly [number, number])[];
}

/** The bytes of a fetch response of one topic, after the correlation id. */
function responseOf(partitions: readonly Partition[]): Buffer {
  const chunks: Buffer[] = [
    numbers(4, 7),
    numbers(2, 0),
    numbers(4, 0),
    numbers(4, 1),
    numbers(2, 5),
    Buffer.from('topic'),
  ];
  chunks.push(numbers(4, partitions.length));
  for (const [partition, { errorCode = 0, records, aborted = [[77, 3]] }] of partitions.entries())
    chunks.push(
      numbers(4, partition),
      numbers(2, errorCode),
      ...[100, 100, 0].map((value) => numbers(8, value)),
      ...[numbers(4, aborted.length), ...aborted.flat().map((value) => numbers(8, value))],
      ...[numbers(4, -1), numbers(4, records.length), records],
    );
  return Buffer.concat(chunks);
}

function numbers(size: 2 | 4 | 8, value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(BigInt(value));
  return bytes.subarray(8 - size);
}

/** The request as the client itself would create it for the broker's version. */
function requestOf(positions: readonly number[], maxVersion = 17): ReturnType<ReturnType<ReturnType<typeof lookup>>> {
  const protocol = lookup({ [apiKeys.Fetch]: { minVersion: 4, maxVersion } })(apiKeys.Fetch, requests.Fetch);
  const partitions = positions.map((offset, partition) => ({ partition, fetchOffset: String(offset), maxBytes: 1 }));
  return protocol({ maxWaitTime: 10, minBytes: 1, maxBytes: 1, topics: [{ topic: 'topic', partitions }] });
}

async function decode(positions: readonly number[], partitions: readonly Partition[]) {
  const { response } = requestOf(positions);
  const decoded = await response.decode(responseOf(partitions));
  return (await response.parse(decoded)).responses[0].partitions;
}

/** A batch of a transaction of this producer. */
function transactional(producerId: number, records: readonly BatchRecord[], options: BatchOptions): Buffer {
  const batch = recordBatch(records, { attributes: 0x10, ...options });
  batch.writeBigInt64BE(BigInt(producerId), 43);
  return withChecksum(batch);
}

const good = recordBatch(
  [
    { key: 'a', value: '1', headers: [['h', 'x']] },
    { key: 'b', value: null },
  ],
  { firstOffset: 5n },
);
const bad = Buffer.from(good);
bad[bad.length - 1] ^= 1;

describe('the decoder in the client', () => {
  it('is installed where this version of kafkajs looks it up: read decode-fetches.ts before changing the version', () => {
    expect(version).toBe('2.2.4');
    expect(requests.Fetch.versions.map(Number)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });

  it("returns for intact batches what the client's own decoder returns, without records that were not requested", async () => {
    const bytes = responseOf([{ records: good }, { records: Buffer.alloc(0) }]);
    const own = (await fetchResponse.decode(bytes)) as { responses: { partitions: object[] }[] };
    // The records of aborted transactions are left out before kafkajs looks for them.
    for (const { partitions } of own.responses)
      for (const [at, partition] of partitions.entries()) partitions[at] = { ...partition, abortedTransactions: [] };
    expect(own).toMatchObject((await requestOf([5, 0]).response.decode(bytes)) as object);
  });

  it('leaves out records of aborted transactions, and goes on after them also within a batch', async () => {
    const records = [{ value: 'aborted' }, { value: 'aborted' }];
    const marker = { key: '\0\0\0\0', value: '\0\0\0\0\0\0' };
    const [whole, huge] = await decode(
      [5, 5],
      [
        {
          aborted: [
            [8, 6],
            [7, 5],
          ],
          records: Buffer.concat([
            transactional(7, records.slice(1), { firstOffset: 5n }),
            transactional(8, records, { firstOffset: 6n }),
            transactional(9, [{ value: 'committed' }], { firstOffset: 8n }),
            transactional(8, [marker], { firstOffset: 9n, attributes: 0x30 }),
            transactional(7, records, { firstOffset: 10n }),
          ]),
        },
        {
          aborted: [[7, 5]],
          records: transactional(
            7,
            Array.from({ length: 50_001 }, () => ({ value: '' })),
            { firstOffset: 5n },
          ),
        },
      ],
    );
    const told = whole.messages.map(({ offset, value }) => [offset, value?.toString()]);
    expect(told).toEqual([
      ['8', 'committed'],
      ['9', '\0\0\0\0\0\0'],
      ['11', undefined],
    ]);
    expect(huge.messages).toMatchObject([{ offset: '50004', isNothing: true }]);
  });

  it('limits an undecodable batch to its partition, and returns the messages before it', async () => {
    const [first, second, third] = await decode(
      [5, 5, 0],
      [
        { records: Buffer.concat([good, Buffer.concat([bad])]) },
        { records: good },
        { records: Buffer.alloc(0), errorCode: 2 },
      ],
    );
    const names = (messages: readonly KafkaMessage[]): string[] =>
      messages.map((message) => undecodableOf(message)?.reason ?? String(message.key));
    expect(names(first.messages)).toEqual(['a', 'b', 'wrong_checksum']);
    expect(names(second.messages)).toEqual(['a', 'b']);
    expect(names(third.messages)).toEqual(['refused_by_broker']);
    expect(BigInt(first.messages[2].offset)).toBeGreaterThan(2n ** 62n);
  });

  it('reports partitions that are read to their end, and others if none has used up the size of the response', async () => {
    const empty: EmptyFetch[] = [];
    const unwatch = watchEmptyFetches((fetch) => void empty.push(fetch));
    const none = { records: Buffer.alloc(0) };
    await decode([5, 7, 100], [none, { records: good }, none]);
    await decode([5, 7], [none, { ...none, errorCode: 2 }]);
    unwatch();
    await decode([5], [none]);
    expect(empty).toEqual([
      { topic: 'topic', partition: 2, position: 100n, start: 0n, end: 100n },
      { topic: 'topic', partition: 0, position: 5n, start: 0n, end: 100n },
    ]);
  });

  it('returns errors that the client needs to find another leader or offset', async () => {
    await expect(decode([5], [{ records: Buffer.alloc(0), errorCode: 1 }])).rejects.toMatchObject({
      type: 'OFFSET_OUT_OF_RANGE',
    });
    await expect(decode([5], [{ records: Buffer.alloc(0), errorCode: 6 }])).rejects.toMatchObject({
      type: 'NOT_LEADER_FOR_PARTITION',
    });
  });

  it('rejects a broker that is too old instead of reading it unchecked', () => {
    expect(() => requestOf([0], 10)).toThrow(/Kafka 2.3 or newer/);
  });
});
