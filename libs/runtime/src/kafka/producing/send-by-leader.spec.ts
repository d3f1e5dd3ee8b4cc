import { ProducerBatch, RecordMetadata } from 'kafkajs';
import { pino } from 'pino';
import { PartitionRecord } from './produce-request';
import { sendByLeader } from './send-by-leader';
import { UnresponsiveLeaders } from './unresponsive-leaders';

const never = new Promise<never>(() => undefined);
const record = (partition: number): PartitionRecord => ({ topic: 't', partition, key: 'k', value: Buffer.from('v') });

/** Partition 0 and 3 are led by broker 1, partition 1 by broker 2; partition 2 has no leader. */
const leaders = [1, 2, -1, 1];

describe('sendByLeader', () => {
  let nowMs: number;
  let unresponsive: UnresponsiveLeaders;
  /** The partitions of each request. */
  let requests: number[][];
  let respond: (leader: number) => Promise<unknown>;

  beforeEach(() => {
    nowMs = 0;
    unresponsive = new UnresponsiveLeaders(() => nowMs);
    requests = [];
    respond = () => Promise.resolve();
  });

  async function sendBatch({ topicMessages = [] }: ProducerBatch): Promise<RecordMetadata[]> {
    const partitions = topicMessages.flatMap(({ messages }) => messages.map(({ partition }) => partition!));
    requests.push(partitions);
    await respond(leaders[partitions[0]]);
    return [...new Set(partitions)].map((partition) => ({
      ...{ topicName: 't', partition, errorCode: 0, baseOffset: '5' },
    }));
  }

  const send = (partitions: readonly number[], deadline: Promise<never> = never) =>
    sendByLeader(partitions.map(record), {
      ...{ unresponsive, deadline, ackTimeoutMs: 1, logger: pino({ level: 'silent' }) },
      client: { leaders: async () => new Map([['t', leaders]]), producer: { sendBatch } as never },
    });

  it('sends one request to each leader, and returns the results in the order of the records', async () => {
    expect(await send([1, 0, 3, 0])).toEqual([
      { partition: 1, offset: 5n },
      { partition: 0, offset: 5n },
      { partition: 3, offset: 5n },
      { partition: 0, offset: 6n },
    ]);
    expect(requests).toEqual([[1], [0, 3, 0]]);
  });

  it('sends nothing to a partition without a leader, nor to a leader in its pause', async () => {
    respond = (leader) => (leader === 2 ? Promise.reject(new Error('refused')) : Promise.resolve());
    expect(await send([0, 1, 2])).toMatchObject([
      { offset: 5n },
      { type: 'NO_RESPONSE', isSent: true },
      { type: 'NO_LEADER', isSent: false },
    ]);
    expect(await send([0, 1])).toMatchObject([{ offset: 5n }, { type: 'NO_RESPONSE', isSent: false }]);
    expect(await send([1, 2])).toMatchObject([{ type: 'NO_RESPONSE' }, { type: 'NO_LEADER' }]);
    expect(requests).toEqual([[0], [1], [0]]);
    nowMs += 60_000;
    respond = () => Promise.resolve();
    expect(await send([1])).toEqual([{ partition: 1, offset: 5n }]);
  });

  it('waits for a silent leader until the deadline, and rejects when no leader has responded', async () => {
    respond = (leader) => (leader === 2 ? never : Promise.resolve());
    const over = (): Promise<never> => new Promise((_, reject) => setTimeout(() => reject(new Error('over')), 20));
    expect(await send([0, 1], over())).toMatchObject([{ offset: 5n }, { type: 'NO_RESPONSE' }]);
    nowMs += 60_000;
    await expect(send([1], over())).rejects.toThrow('over');
  });

  it('does not take a missing topic for a leader that does not respond', async () => {
    const missing = Object.assign(new Error('missing'), { type: 'UNKNOWN_TOPIC_OR_PARTITION' });
    respond = (leader) => (leader === 2 ? Promise.reject(missing) : Promise.resolve());
    expect(await send([0, 1])).toMatchObject([{ offset: 5n }, { type: 'UNKNOWN_TOPIC_OR_PARTITION', isSent: true }]);
    expect(unresponsive.isPaused(2)).toBe(false);
  });
});
