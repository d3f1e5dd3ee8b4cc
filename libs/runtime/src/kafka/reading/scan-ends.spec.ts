import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { FetchedBatch } from '../group-membership/fetched-batch';
import { GroupConsumerOptions } from '../group-membership/group-consumer';
import { EmptyFetch, reportEmptyFetch } from '../record-batches/empty-fetches';
import { scanTopics } from './scan-topic';
import { kafkaOf } from '../../../test/kafka-of';

/** What the client does after it has joined. */
let fetches: (deliver: (batch: Partial<FetchedBatch>) => Promise<void>) => Promise<void>;

jest.mock('../group-membership/group-consumer', () => ({
  GroupConsumer: class {
    constructor(private readonly options: GroupConsumerOptions) {}

    async start(): Promise<void> {
      void fetches((batch) =>
        this.options.onBatch({ topic: 't', commit: () => Promise.resolve(), ...batch } as FetchedBatch),
      );
    }

    stop(): Promise<void> {
      return Promise.resolve();
    }

    pause(): void {}
  },
}));

const admin = {
  connect: () => Promise.resolve(),
  disconnect: () => Promise.resolve(),
  deleteGroups: () => Promise.resolve(),
  fetchTopicOffsets: () =>
    Promise.resolve([0, 1].map((partition) => ({ partition, low: '0', high: '5', offset: '5' }))),
};

/** Records of a partition, as a fetch returns them. */
function batchOf(partition: number, offsets: readonly number[]): Partial<FetchedBatch> {
  const messages = offsets.map((offset) => ({ offset: `${offset}`, headers: {} }) as FetchedBatch['messages'][number]);
  return { partition, messages, lastOffset: BigInt(offsets.at(-1)!) };
}

function empty(partition: number, fetch: Partial<EmptyFetch>): void {
  reportEmptyFetch({ topic: 't', partition, position: 0n, start: 0n, end: 5n, ...fetch });
}

/** The offsets that a scan of both partitions has delivered, and how it has ended. */
async function scan(patienceMs: number): Promise<{ read: string[]; failure?: string }> {
  const read: string[] = [];
  const ended = scanTopics({
    kafka: kafkaOf(() => admin),
    logger: pino({ level: 'silent' }),
    ranges: [0, 1].map((partition) => ({ topic: 't', partition, from: 0n, to: 5n })),
    onRecords: (records) => void read.push(...records.map(({ partition, offset }) => `${partition}:${offset}`)),
    patienceMs,
  });
  return ended.then(
    () => ({ read }),
    (error: Error) => ({ read, failure: error.message }),
  );
}

describe('the end of a scan', () => {
  it('is not reached while the broker of one partition is silent and another one responds', async () => {
    fetches = async (deliver) => {
      await deliver(batchOf(0, [0, 1, 2]));
      for (let times = 0; times < 100; times++, await sleep(10)) empty(0, { position: 3n });
    };
    const { read, failure } = await scan(600);
    expect([read, failure]).toEqual([['0:0', '0:1', '0:2'], expect.stringMatching(/no records of t\/1 for/)]);
  });

  it('is an empty fetch of each partition from behind its last record, without a wait', async () => {
    fetches = async (deliver) => {
      await deliver(batchOf(0, [0, 1, 2]));
      empty(0, { position: 3n });
      empty(1, { position: 1n, start: 1n });
    };
    const bounds = jest.spyOn(admin, 'fetchTopicOffsets');
    expect(await scan(5_000)).toEqual({ read: ['0:0', '0:1', '0:2'] });
    // Those of the beginning: after half a second without records it asks for them again.
    expect(bounds).toHaveBeenCalledTimes(1);
    bounds.mockRestore();
  });

  it('is reached although the process was paused for longer than the patience behind it', async () => {
    fetches = async (deliver) => {
      await turn();
      await deliver(batchOf(0, [0, 1, 2, 3, 4]));
      await deliver(batchOf(1, [4]));
      for (const endMs = performance.now() + 600; performance.now() < endMs;);
    };
    expect(await scan(100)).toEqual({ read: ['0:0', '0:1', '0:2', '0:3', '0:4', '1:4'] });
  });

  it('is no fetch from further on, or before an open transaction', async () => {
    fetches = async (deliver) => {
      await deliver(batchOf(0, [0, 1, 2, 3, 4]));
      empty(1, { position: 2n });
      empty(1, { end: 4n });
    };
    expect((await scan(600)).failure).toMatch(/no records of t\/1 for/);
  });
});
