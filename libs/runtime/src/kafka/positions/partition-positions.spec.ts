import { setImmediate as turn } from 'node:timers/promises';
import { pino } from 'pino';
import { MovedPosition, PartitionPositions, PositionStore, PositionedBatch } from './partition-positions';

const topic = 'source.redrive';
let stored: bigint | null;
let seeks: bigint[];
let moved: MovedPosition[];
let positions: PartitionPositions;

/** A store that can go back, as a database in a failover. */
const table: PositionStore = {
  load: () => Promise.resolve(stored),
  loadAll: () => Promise.resolve(new Map(stored === null ? [] : [[0, stored]])),
};

beforeEach(() => {
  [stored, seeks, moved] = [null, [], []];
  positions = open(table);
});

function open(store: PositionStore): PartitionPositions {
  return new PartitionPositions({
    store,
    seek: (_topic, _partition, offset) => void seeks.push(offset),
    onMoved: (found) => void moved.push(found),
    logger: pino({ level: 'silent' }),
    signal: new AbortController().signal,
  });
}

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

describe('positions without a stored one', () => {
  beforeEach(() => positions.assign({ [topic]: [0] }));

  it('are not compared with a store that cannot go back', async () => {
    await beginBatch();
    positions = open({ load: table.load });
    positions.assign({ [topic]: [0] });
    await moveTo(7n);
    stored = 4n;
    await positions.check();
    (await beginBatch()).end();
    expect([seeks, moved]).toEqual([[0n, 0n], []]);
  });

  it('begin with the first record', async () => {
    (await beginBatch()).end();
    await positions.check();
    expect([seeks, moved]).toEqual([[0n], []]);
  });

  it('begin with the first record when another assignment comes before the loss is noticed', async () => {
    await moveTo(7n);
    positions.assign({ [topic]: [0] });
    expect((await beginBatch()).position).toBeNull();
    expect([seeks, moved]).toEqual([[0n, 0n], []]);
  });

  it('begin with the first record when the store has lost the first position', async () => {
    await moveTo(7n);
    await positions.check();
    expect((await beginBatch()).position).toBeNull();
    expect([seeks, moved]).toEqual([[0n, 0n], [{ topic, partition: 0, expected: 7n, stored: null }]]);
  });

  it('stay where a batch moves them while the store is compared', async () => {
    let compared = (_found: ReadonlyMap<number, bigint>): void => undefined;
    positions = open({ load: table.load, loadAll: () => new Promise((resolve) => (compared = resolve)) });
    stored = 100n;
    positions.assign({ [topic]: [0] });
    await moveTo(120n);
    const check = positions.check();
    await moveTo(150n);
    compared(new Map([[0, 150n]]));
    await check;
    expect((await beginBatch()).position).toBe(150n);
    expect([seeks, moved]).toEqual([[0n, 100n], []]);
  });

  it('go back to an earlier stored position', async () => {
    await moveTo(7n);
    stored = 4n;
    await positions.check();
    expect((await beginBatch()).position).toBe(4n);
    expect(seeks).toEqual([0n, 4n]);
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

  it('discards what was fetched before the stored position was loaded again, whatever its batch notes', async () => {
    stored = 100n;
    positions.assign({ [topic]: [0] });
    const batch = await beginBatch();
    batch.reload();
    batch.note(150n);
    batch.end();
    expect(await positions.begin(topic, 0)).toBeNull();
    expect((await beginBatch()).position).toBe(100n);
  });

  it('discards what was fetched before it, once it has its position', async () => {
    stored = 100n;
    positions.assign({ [topic]: [0] });
    expect(await positions.begin(topic, 0)).toBeNull();
    expect(seeks).toEqual([100n]);
    expect((await beginBatch()).position).toBe(100n);
  });
});
