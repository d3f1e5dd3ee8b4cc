import { pino } from 'pino';
import { MovedPosition, PartitionPositions } from './partition-positions';

describe('positions of a topic that begins at the commits of its group', () => {
  const topic = 'source.redrive';
  let stored: bigint | null;
  let seeks: bigint[];
  let moved: MovedPosition[];
  let positions: PartitionPositions;

  beforeEach(async () => {
    [stored, seeks, moved] = [null, [], []];
    positions = new PartitionPositions({
      store: {
        load: () => Promise.resolve(stored),
        loadAll: () => Promise.resolve(new Map(stored === null ? [] : [[0, stored]])),
      },
      committedTopics: new Set([topic]),
      seek: (_topic, _partition, offset) => void seeks.push(offset),
      onMoved: (found) => void moved.push(found),
      logger: pino({ level: 'silent' }),
      signal: new AbortController().signal,
    });
    positions.assign({ [topic]: [0] });
    expect(await positions.begin(topic, 0)).toBe(true);
    positions.end(topic, 0);
  });

  it('begin there while none is stored', async () => {
    await positions.check();
    expect([seeks, moved]).toEqual([[], []]);
  });

  it('begin with the first record when the store has lost the first position', async () => {
    positions.note(topic, 0, 7n);
    await positions.check();
    expect(await positions.begin(topic, 0)).toBe(true);
    expect([seeks, moved]).toEqual([[0n], [{ topic, partition: 0, expected: 7n, stored: null }]]);
  });

  it('go back to an earlier stored position', async () => {
    positions.note(topic, 0, 7n);
    stored = 4n;
    await positions.check();
    expect(await positions.begin(topic, 0)).toBe(true);
    expect([seeks, positions.known(topic, 0)]).toEqual([[4n], 4n]);
  });
});
