import * as fs from 'node:fs/promises';
import { encoded } from '../../test/events';
import { OpenedQueues, all, idsOf } from '../../test/opened-queues';
import { encodeLine } from './record-line';

jest.mock('node:fs/promises', () => {
  const actual = jest.requireActual<typeof fs>('node:fs/promises');
  return { ...actual, open: jest.fn(actual.open) };
});

describe('what the queue costs', () => {
  const queues = new OpenedQueues();
  let files: fs.FileHandle;

  beforeEach(async () => {
    const file = await fs.open(__filename);
    files = Object.getPrototypeOf(file) as fs.FileHandle;
    await file.close();
  });
  afterEach(() => jest.restoreAllMocks());

  const ids = Array.from({ length: 1_000 }, (_, n) => `e${n}`);

  it('reads of an event that is read again only its line', async () => {
    const queue = await queues.open();
    await Promise.all(ids.map((id) => queue.append(encoded(id))));
    const { events } = await all(queue);
    const read = jest.spyOn(files, 'read');
    queue.release(events.map(({ position }) => position));
    expect(idsOf(await all(queue))).toEqual(ids);
    const bytesRead = read.mock.calls.reduce((sum, call) => sum + Number((call as unknown[])[2]), 0);
    const bytes = ids.reduce((sum, id) => sum + encodeLine(encoded(id).body).length, 0);
    expect(bytesRead).toBeGreaterThanOrEqual(bytes);
    expect(bytesRead).toBeLessThan(2 * bytes);
  });

  it('forces events to disk together that it moves, also when they are many', async () => {
    const queue = await queues.open({ segmentBytes: 1 });
    await Promise.all(ids.map((id) => queue.append(encoded(id))));
    const { events } = await all(queue);
    await queue.done(events.slice(250).map(({ position }) => position));
    await queue.finishAppending();
    const datasync = jest.spyOn(files, 'datasync');
    await queue.tidy();
    expect(queue.bytes).toBeLessThan(250 * encodeLine(encoded(ids[999]).body).length);
    expect(datasync.mock.calls.length).toBeGreaterThan(0);
    expect(datasync.mock.calls.length).toBeLessThan(5);
    jest.mocked(fs.open).mockClear();
    expect(idsOf(await queue.readAt(events.slice(0, 250).map(({ position }) => position)))).toEqual(ids.slice(0, 250));
    expect(fs.open).toHaveBeenCalledTimes(1);
  });

  it('moves no more events when it is to stop', async () => {
    const queue = await queues.open();
    await Promise.all(ids.map((id) => queue.append(encoded(id))));
    const { events } = await all(queue);
    await queue.done(events.slice(250).map(({ position }) => position));
    await queue.finishAppending();
    const datasync = jest.spyOn(files, 'datasync');
    await queue.tidy(AbortSignal.abort());
    expect(datasync).not.toHaveBeenCalled();
    expect(idsOf(await queue.readAt(events.slice(0, 250).map(({ position }) => position)))).toEqual(ids.slice(0, 250));
  });
});
