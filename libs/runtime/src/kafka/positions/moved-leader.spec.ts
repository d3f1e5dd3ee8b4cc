import { Admin, KafkaJSNumberOfRetriesExceeded } from 'kafkajs';
import { pino } from 'pino';
import { kafkaOf } from '../../../test/kafka-of';
import { GroupPositions } from './group-positions';

function positionsWithAdmins(admin: () => Admin): GroupPositions {
  return new GroupPositions(kafkaOf(admin), pino({ level: 'silent' }));
}

/** Answers requests for ends and groups with these errors first, one for each connection. */
function positionsAfter(...errors: readonly Error[]): { positions: GroupPositions; connections: () => number } {
  let connections = 0;
  const admin = (): Admin => {
    const error = errors.at(connections++);
    const fetchTopicOffsets = async () => {
      if (error) throw error;
      return [{ partition: 0, low: '1', high: '3', offset: '3' }];
    };
    const describeGroups = async () => {
      if (error) throw error;
      return { groups: [{ members: [{}, {}] }] };
    };
    const ignore = async () => undefined;
    return { connect: ignore, disconnect: ignore, fetchTopicOffsets, describeGroups } as unknown as Admin;
  };
  return { positions: positionsWithAdmins(admin), connections: () => connections };
}

const moved = Object.assign(new Error('This server is not the leader'), { type: 'NOT_LEADER_FOR_PARTITION' });

describe('the members of a group whose coordinator has moved', () => {
  it.each(['NOT_COORDINATOR_FOR_GROUP', 'GROUP_COORDINATOR_NOT_AVAILABLE', 'GROUP_LOAD_IN_PROGRESS'])(
    'are read again after attempts that ended with %s',
    async (type) => {
      const cause = Object.assign(new Error('This is not the correct coordinator for this group'), { type });
      const ended = new KafkaJSNumberOfRetriesExceeded(cause, { retryCount: 2, retryTime: 600 });
      const { positions, connections } = positionsAfter(ended, ended);
      expect([await positions.memberCount('g'), connections()]).toEqual([2, 3]);
    },
  );
});

describe('the ends of a partition whose leader has moved', () => {
  it('are read from the new one', async () => {
    const { positions, connections } = positionsAfter(moved, moved);
    expect([await positions.ends('t'), connections()]).toEqual([[3n], 3]);
  });

  it('are an error when no leader is found, and after any other error', async () => {
    await expect(positionsAfter(moved, moved, moved, moved).positions.ends('t')).rejects.toBe(moved);
    const other = new Error('x');
    const { positions, connections } = positionsAfter(other);
    await expect(positions.ends('t')).rejects.toBe(other);
    expect(connections()).toBe(1);
  });
});

describe('the ends of a topic of which one partition has no leader that responds', () => {
  const offsets = [{ partition: 0, low: '1', high: '3', offset: '3' }, { partition: 1 }];
  const fetchTopicOffsets = async () => offsets;
  const fetchTopicOffsetsByTimestamp = fetchTopicOffsets;
  const positionsWith = (leader: number): GroupPositions => {
    const partitions = [3, leader].map((each, partitionId) => ({ partitionId, leader: each }));
    const fetchTopicMetadata = async () => ({ topics: [{ name: 't', partitions }] });
    const describeCluster = async () => ({ brokers: [2, 3, 4].map((nodeId) => ({ nodeId })) });
    const admin = {
      ...{ connect: async () => undefined, fetchTopicOffsets, fetchTopicOffsetsByTimestamp },
      ...{ fetchTopicMetadata, describeCluster },
    };
    return positionsWithAdmins(() => admin as unknown as Admin);
  };

  it('are known for the others', async () => {
    const positions = positionsWith(-1);
    expect(await positions.knownEnds('t')).toEqual([3n, undefined]);
    expect(await positions.knownBounds('t')).toEqual([{ low: 1n, high: 3n }, undefined]);
  });

  it.each([
    [-1, 'partition 1 of t has no leader'],
    [2, 'the leader of partition 1 of t, broker 2, does not respond'],
  ])('are an error where all are needed, with the leader %i', async (leader, message) => {
    const positions = positionsWith(leader);
    const reads = [positions.ends('t'), positions.bounds('t'), positions.offsetsAt('t', 0)];
    for (const read of await Promise.allSettled(reads)) expect(read).toMatchObject({ reason: { message } });
  });

  it('do not make its leader a broker that answers', async () => {
    const answers = async (leader: number) => Object.fromEntries(await positionsWith(leader).brokerAnswers(['t']));
    expect(await answers(2)).toEqual({ 2: false, 3: true, 4: true });
    expect(await answers(-1)).toEqual({ 2: true, 3: true, 4: true });
  });
});
