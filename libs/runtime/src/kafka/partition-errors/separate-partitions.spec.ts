import Cluster from 'kafkajs/src/cluster';
import apiKeys from 'kafkajs/src/protocol/requests/apiKeys';
import { Metadata } from 'kafkajs/src/protocol/requests/metadata';
import { lookup, requests } from 'kafkajs/src/protocol/requests';
import { pino } from 'pino';
import { createKafka } from '../client/create-kafka';
import { KnownLeaders, knownLeaders } from './known-leaders';
import { PartitionMessage } from './partition-message';

createKafka({ brokers: ['127.0.0.1:1'], clientId: 'spec', logger: pino({ level: 'silent' }) });

const versions = { minVersion: 0, maxVersion: 17 };
const partitionOf = ([partitionId, leader]: readonly [number, number]) => ({
  partitionId,
  leader,
  partitionErrorCode: leader < 0 ? 5 : 0,
});
const metadataOf = (topic: string, leaders: readonly number[], topicErrorCode = 0): Metadata => ({
  topicMetadata: [{ topic, topicErrorCode, partitionMetadata: [...leaders.entries()].map(partitionOf) }],
});

/** The parsers as the client itself would find them for the broker's version. */
function parsers() {
  const find = lookup({ [apiKeys.Produce]: versions, [apiKeys.Metadata]: versions });
  return {
    produce: (message: object) => {
      const topicData = [{ topic: 't', partitions: [{ partition: 0, messages: [message] }] }];
      return find(apiKeys.Produce, requests.Produce)({ topicData }).response.parse;
    },
    metadata: find(apiKeys.Metadata, requests.Metadata)({ topics: [] }).response.parse,
  };
}

describe('errors of one partition in the client', () => {
  it('are returned in the reply to a produce request, where this version of kafkajs looks its parser up', async () => {
    const reply = {
      topics: [
        {
          topicName: 't',
          partitions: [
            { partition: 0, errorCode: 19, baseOffset: '-1' },
            { partition: 1, errorCode: 0, baseOffset: '7' },
          ],
        },
      ],
    };
    const { produce } = parsers();
    expect(await produce(new PartitionMessage('k', null, 0, undefined))(reply)).toEqual(reply);
    await expect(produce({ key: 'k' })(reply)).rejects.toMatchObject({ type: 'NOT_ENOUGH_REPLICAS' });
  });

  it('leave the other partitions in the metadata, and their own partition without a leader', async () => {
    const parsed = (await parsers().metadata(metadataOf('leaderless', [2, -1, 3]))) as unknown as Metadata;
    expect(parsed.topicMetadata[0].partitionMetadata).toMatchObject([{ leader: 2 }, { leader: -1 }, { leader: 3 }]);
    expect(knownLeaders.withoutLeader().get('leaderless')).toEqual([1]);
    await parsers().metadata(metadataOf('leaderless', [2, 1, 3]));
    expect(knownLeaders.withoutLeader().get('leaderless')).toEqual([]);
  });

  it('still reject for a whole topic', async () => {
    const type = 'TOPIC_AUTHORIZATION_FAILED';
    await expect(parsers().metadata(metadataOf('t', [], 29))).rejects.toMatchObject({ type });
  });

  describe('of a partition without a leader', () => {
    const cluster = Object.create(Cluster.prototype) as InstanceType<typeof Cluster>;
    const listOffsets = async ({ topics }: { topics: { topic: string; partitions: { partition: number }[] }[] }) => ({
      responses: topics.map(({ topic, partitions }) => ({
        topic,
        partitions: partitions.map(({ partition }) => ({ partition, offset: '7' })),
      })),
    });
    Object.assign(cluster, {
      brokerPool: { metadata: metadataOf('t', [2, -1]) },
      findBroker: async () => ({ listOffsets }),
    });
    const asked = { topic: 't', partitions: [{ partition: 0 }, { partition: 1 }] };

    it('leave out its offset', async () => {
      expect(await cluster.fetchTopicsOffset([{ ...asked, fromBeginning: true }])).toEqual([
        { topic: 't', partitions: [{ partition: 0, offset: '7' }, { partition: 1 }] },
      ]);
    });

    it('reject where its offset of a timestamp is asked for, which kafkajs would take for the end', async () => {
      await expect(cluster.fetchTopicsOffset([{ ...asked, fromTimestamp: 1 }])).rejects.toThrow(
        'partition 1 of t has no leader',
      );
    });
  });
});

describe('partitions without a leader', () => {
  it('count while a client looks at their metadata, and a minute longer', () => {
    let nowMs = 0;
    const leaders = new KnownLeaders(() => nowMs);
    leaders.noteMetadata(metadataOf('left', [1, -1]));
    for (; nowMs < 61_000; nowMs += 500) {
      leaders.noteMetadata(metadataOf('used', [1, -1]));
      if (nowMs === 59_500) expect(leaders.withoutLeader().get('left')).toEqual([1]);
    }
    expect([...leaders.withoutLeader()]).toEqual([
      ['left', []],
      ['used', [1]],
    ]);
  });
});

describe('metadata', () => {
  it('are outdated after half a second without a leader, and after a refusal by a former leader', () => {
    let nowMs = 0;
    const leaders = new KnownLeaders(() => nowMs);
    const [led, leaderless] = [metadataOf('led', [1]), metadataOf('leaderless', [1, -1])];
    leaders.noteMetadata(led);
    leaders.noteMetadata(leaderless);
    expect([null, {}, led, leaderless].map((each) => leaders.isOutdated(each))).toEqual([false, false, false, false]);
    nowMs = 500;
    expect([led, leaderless].map((each) => leaders.isOutdated(each))).toEqual([false, true]);
    leaders.noteReply({ topics: [{ topicName: 'led', partitions: [{ partition: 0, errorCode: 19 }] }] });
    expect(leaders.isOutdated(led)).toBe(false);
    leaders.noteReply({ topics: [{ topicName: 'led', partitions: [{ partition: 0, errorCode: 6 }] }] });
    expect(leaders.isOutdated(led)).toBe(true);
    nowMs = 501;
    const later = metadataOf('led', [2]);
    leaders.noteMetadata(later);
    expect(leaders.isOutdated(later)).toBe(false);
  });
});
