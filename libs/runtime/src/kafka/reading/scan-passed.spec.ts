import { BatchPassedData } from '@podium/messages';
import { pino } from 'pino';
import { FetchedBatch, UndecodableFetch } from '../group-membership/fetched-batch';
import { GroupConsumerOptions } from '../group-membership/group-consumer';
import { UndecodableBatch } from '../record-batches/undecodable-reason';
import { BatchPlace } from '../undecodable-batches/passed-batches';
import { scanTopics } from './scan-topic';
import { kafkaOf } from '../../../test/kafka-of';

/** The broker returns offsets 0, 1 and 4, 5 of the partition, and refuses every fetch from 2 or 3. */
const readable = [
  [0n, 1n],
  [4n, 5n],
];
const digest = '00'.repeat(32);
let leaves: readonly Pick<BatchPassedData, 'first_offset' | 'last_offset'>[];

jest.mock('../group-membership/group-consumer', () => ({
  GroupConsumer: class {
    private isPaused = false;

    constructor(private readonly options: GroupConsumerOptions) {}

    async start(): Promise<void> {
      void this.fetchAll();
    }

    stop(): Promise<void> {
      return Promise.resolve();
    }

    pause(): void {
      this.isPaused = true;
    }

    private async fetchAll(): Promise<void> {
      const { onBatch, onUndecodable, positions } = this.options;
      let next = (await positions?.load('t', 0)) ?? 0n;
      for (let before = -1n; before !== next && !this.isPaused;) {
        before = next;
        const place = { topic: 't', partition: 0, commit: async (to: bigint) => void (next = to) };
        const offsets = readable.find((each) => each.includes(next))?.filter((offset) => offset >= next);
        const messages = offsets?.map((offset) => ({ offset: String(offset) }));
        const fetched = { ...place, messages, lastOffset: offsets?.at(-1) };
        if (offsets) await onBatch(fetched as unknown as FetchedBatch);
        else await onUndecodable({ ...place, batch: refusedAt(next) } as unknown as UndecodableFetch);
      }
    }
  },
}));

jest.mock('../undecodable-batches/passed-batches', () => ({
  PassedBatches: class {
    start(): Promise<void> {
      return Promise.resolve();
    }

    stop(): Promise<void> {
      return Promise.resolve();
    }

    leaveFor(_place: BatchPlace, batch: UndecodableBatch): object | undefined {
      return leaves.find(({ first_offset }) => BigInt(first_offset) === batch.firstOffset);
    }
  },
}));

function refusedAt(position: bigint): UndecodableBatch {
  return {
    ...{ position, firstOffset: position, lastOffset: position, reason: 'refused_by_broker', detail: 'refused' },
    ...{ codec: 'unknown', sizeBytes: 0, digest },
  };
}

const admin = {
  connect: () => Promise.resolve(),
  disconnect: () => Promise.resolve(),
  deleteGroups: () => Promise.resolve(),
  fetchTopicOffsets: () => Promise.resolve([{ partition: 0, low: '0', high: '6', offset: '6' }]),
};

/** The offsets that a scan has delivered. */
async function scan(to: bigint): Promise<bigint[]> {
  const read: bigint[] = [];
  await scanTopics({
    kafka: kafkaOf(() => admin),
    logger: pino({ level: 'silent' }),
    ranges: [{ topic: 't', partition: 0, from: 0n, to }],
    onRecords: (records) => void read.push(...records.map(({ offset }) => offset)),
    patienceMs: 600,
  });
  return read;
}

describe('a batch that the broker does not return', () => {
  it('is passed up to the offset that the operators gave', async () => {
    leaves = [{ first_offset: 2, last_offset: 3 }];
    expect(await scan(6n)).toEqual([0n, 1n, 4n, 5n]);
  });

  it.each([3n, 4n])('ends a range that ends before %d', async (to) => {
    leaves = [{ first_offset: 2, last_offset: 3 }];
    expect(await scan(to)).toEqual([0n, 1n]);
  });

  it('ends the scan behind the given offset, where the next one is not passed', async () => {
    leaves = [{ first_offset: 2, last_offset: 2 }];
    await expect(scan(6n)).rejects.toThrow('t/0: the records from 3 to 3 cannot be decoded');
  });
});
