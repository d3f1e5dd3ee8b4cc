import * as fs from 'node:fs';
import * as path from 'node:path';
import { encoded } from '../../test/events';
import { OpenedQueues, all, idsOf } from '../../test/opened-queues';
import { encodeLine } from './record-line';

const ids = Array.from({ length: 5_000 }, (_, n) => `e${String(n).padStart(5, '0')}`);
const lineBytes = encodeLine(encoded(ids[0]).body).length;

describe('a segment with a damaged area', () => {
  const queues = new OpenedQueues();

  /** A queue of events in one segment, of which an area became zeros. */
  async function damaged(from: number, bytes: number): Promise<Buffer> {
    const queue = await queues.open();
    await Promise.all(ids.map((id) => queue.append(encoded(id))));
    await queues.close(queue);
    const file = path.join(queues.folder, queues.files('.queue')[0]);
    const content = fs.readFileSync(file).fill(0, from, from + bytes);
    fs.writeFileSync(file, content);
    return content;
  }

  /** Ids of the lines that an area of the file does not touch. */
  const intact = (from: number, bytes: number): string[] =>
    ids.filter((_, n) => (n + 1) * lineBytes <= from || n * lineBytes >= from + bytes);

  it.each([
    ['more than it reads at once', 300 * 1024],
    ['twice as much as it reads at once', 600 * 1024],
  ])('of %s is read behind it, and kept when all else is done', async (_, bytes) => {
    const from = 100 * 1024;
    const content = await damaged(from, bytes);
    const queue = await queues.open();
    const found = await all(queue);
    expect(idsOf(found)).toEqual(intact(from, bytes));
    expect(found.damaged).toHaveLength(1);
    expect(found.damaged[0].damaged.length).toBeLessThan(10_000);
    expect(queues.torn).toEqual([]);
    await queue.done([...found.events, ...found.damaged].map(({ position }) => position));
    expect(queues.files('.queue')).toEqual([]);
    expect(queues.damagedFiles).toHaveLength(1);
    expect(fs.readFileSync(queues.damagedFiles[0]).equals(content)).toBe(true);
    await queues.close(queue);
    expect(queues.files('')).toEqual([path.basename(queues.damagedFiles[0])]);
    expect(idsOf(await all(await queues.open()))).toEqual([]);
  });

  it('is kept also by the next process, which does not report the area again', async () => {
    const from = 100 * 1024;
    const bytes = 300 * 1024;
    await damaged(from, bytes);
    const first = await queues.open();
    const found = await all(first);
    const last = found.events.slice(-1);
    await first.done([...found.events.slice(0, -1), ...found.damaged].map(({ position }) => position));
    await queues.close(first);
    const second = await queues.open();
    const left = await all(second);
    expect([idsOf(left), left.damaged]).toEqual([idsOf({ events: last, damaged: [] }), []]);
    expect(queues.damagedFiles).toEqual([]);
    await second.done(left.events.map(({ position }) => position));
    expect(queues.damagedFiles).toHaveLength(1);
  });

  it('that reaches the end and is longer than a line is not taken for a torn line', async () => {
    const end = ids.length * lineBytes;
    const bytes = 100 * 1024;
    await damaged(end - bytes, bytes);
    const queue = await queues.open();
    const found = await all(queue);
    expect(idsOf(found)).toEqual(intact(end - bytes, bytes));
    expect([found.damaged.length, queues.torn]).toEqual([1, []]);
    await queue.done([...found.events, ...found.damaged].map(({ position }) => position));
    expect(queues.damagedFiles).toHaveLength(1);
  });
});
