import { Admin } from 'kafkajs';
import { pino } from 'pino';
import { GroupPositions } from './group-positions';

/** Answers requests for ends with these errors first, one for each connection. */
function positionsAfter(...errors: readonly Error[]): { positions: GroupPositions; connections: () => number } {
  let connections = 0;
  const admin = (): Admin => {
    const error = errors.at(connections++);
    const fetchTopicOffsets = async () => {
      if (error) throw error;
      return [{ partition: 0, low: '1', high: '3', offset: '3' }];
    };
    return { connect: async () => undefined, disconnect: async () => undefined, fetchTopicOffsets } as unknown as Admin;
  };
  return { positions: new GroupPositions({ admin }, pino({ level: 'silent' })), connections: () => connections };
}

const moved = Object.assign(new Error('This server is not the leader'), { type: 'NOT_LEADER_FOR_PARTITION' });

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

describe('the ends of a topic of which one partition has no leader', () => {
  const offsets = [{ partition: 0, low: '1', high: '3', offset: '3' }, { partition: 1 }];
  const fetchTopicOffsets = async () => offsets;
  const fetchTopicOffsetsByTimestamp = fetchTopicOffsets;
  const admin = { connect: async () => undefined, fetchTopicOffsets, fetchTopicOffsetsByTimestamp };
  const positions = new GroupPositions({ admin: () => admin as unknown as Admin }, pino({ level: 'silent' }));

  it('are known for the others', async () => {
    expect(await positions.knownEnds('t')).toEqual([3n, undefined]);
    expect(await positions.knownBounds('t')).toEqual([{ low: 1n, high: 3n }, undefined]);
  });

  it('are an error where all are needed', async () => {
    const reads = [positions.ends('t'), positions.bounds('t'), positions.offsetsAt('t', 0)];
    for (const read of await Promise.allSettled(reads))
      expect(read).toMatchObject({ reason: { message: 'partition 1 of t has no leader' } });
  });
});
