import { setImmediate as turn } from 'node:timers/promises';
import { pino } from 'pino';
import { MovedPosition, PartitionPositions, PositionedBatch } from './partition-positions';

const topic = 'source.redrive';
let stored: bigint | null;
let seeks: bigint[];
let moved: MovedPosition[];
let positions: PartitionPositions;

beforeEach(() => {
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
});

/** Begins a batch that was fetched after the partition was positioned. */
async function beginBatch(): Promise<PositionedBatch> {
  await turn();
  const batch = await positions.begin(topic, 0);
  if (!batch) throw new Error('the batch is discarded');
  return batch;
}

/** A batch that moves the position. */
async function moveTo(position: bigint): Promise<void> {
  const batch = await beginBatch();
  batch.note(position);
  batch.end();
}

describe('positions of a topic that begins at the commits of its group', () => {
  beforeEach(async () => (await beginBatch()).end());

  it('begin there while none is stored', async () => {
    await positions.check();
    expect([seeks, moved]).toEqual([[], []]);
  });

  it('begin with the first record when the store has lost the first position', async () => {
    await moveTo(7n);
    await positions.check();
    expect((await beginBatch()).position).toBeNull();
    expect([seeks, moved]).toEqual([[0n], [{ topic, partition: 0, expected: 7n, stored: null }]]);
  });

  it('go back to an earlier stored position', async () => {
    await moveTo(7n);
    stored = 4n;
    await positions.check();
    expect((await beginBatch()).position).toBe(4n);
    expect(seeks).toEqual([4n]);
  });
});

describe('an assignment that begins during a batch', () => {
  it('begins behind the batch, once it has ended', async () => {
    stored = 100n;
    positions.assign({ [topic]: [0] });
    const batch = await beginBatch();
    positions.assign({ [topic]: [0] });
    await turn();
    expect(seeks).toEqual([100n]);

    stored = 150n;
    batch.note(150n);
    batch.end();
    expect((await beginBatch()).position).toBe(150n);
    expect([seeks, moved]).toEqual([[100n, 150n], []]);
  });

  it('has its own positions, whatever the batch does after its end', async () => {
    stored = 100n;
    positions.assign({ [topic]: [0] });
    const batch = await beginBatch();
    positions.assign({ [topic]: [0] });
    batch.end();
    await turn();
    batch.note(150n);
    batch.reload();
    expect((await beginBatch()).position).toBe(100n);
    expect(seeks).toEqual([100n, 100n]);
  });

  it('discards what was fetched before it, once it has its position', async () => {
    stored = 100n;
    positions.assign({ [topic]: [0] });
    expect(await positions.begin(topic, 0)).toBeNull();
    expect(seeks).toEqual([100n]);
    expect((await beginBatch()).position).toBe(100n);
  });
});
