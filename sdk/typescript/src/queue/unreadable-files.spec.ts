import * as fs from 'node:fs';
import { FileHandle, open } from 'node:fs/promises';
import * as path from 'node:path';
import { encoded } from '../../test/events';
import { OpenedQueues, all, idsOf } from '../../test/opened-queues';
import { encodeLine } from './record-line';

const other = '0123456789abcdef';

/** A link to itself cannot be opened, whoever the user is. */
function makeUnreadable(file: string): void {
  fs.symlinkSync(file, file);
}

describe('a file that cannot be read', () => {
  const queues = new OpenedQueues();
  afterEach(() => jest.restoreAllMocks());

  const at = (file: string): string => path.join(queues.folder, file);
  const line = (id: string): Buffer => encodeLine(encoded(id).body);

  it('of an ended process stays where it is, is reported once, and keeps no other event', async () => {
    makeUnreadable(at(`${other}-1.queue`));
    fs.writeFileSync(at(`${other}-2.queue`), line('of-other'));
    const queue = await queues.open();
    await queue.append(encoded('own'));
    expect(idsOf(await all(queue))).toEqual(['of-other', 'own']);
    await queue.tidy();
    expect(queues.unreadable).toEqual([expect.stringMatching(`${other}-1.queue cannot be read: .*ELOOP`)]);
    expect([queue.hasNext, queues.files('.queue')]).toEqual([false, expect.arrayContaining([`${other}-1.queue`])]);
    fs.rmSync(at(`${other}-1.queue`));
    fs.writeFileSync(at(`${other}-1.queue`), line('repaired'));
    await queue.tidy();
    expect(idsOf(await all(queue))).toEqual(['repaired']);
  });

  it('with the marks of an ended process keeps its segment where it is', async () => {
    fs.writeFileSync(at(`${other}-1.queue`), line('of-other'));
    makeUnreadable(at(`${other}-1.done`));
    const queue = await queues.open();
    expect(queue.hasNext).toBe(false);
    expect(queues.unreadable).toHaveLength(1);
    fs.rmSync(at(`${other}-1.done`));
    await queue.tidy();
    expect(idsOf(await all(queue))).toEqual(['of-other']);
  });

  it('because nobody can tell whether its owner runs is reported once', async () => {
    fs.writeFileSync(at(`${other}-1.queue`), line('of-other'));
    makeUnreadable(at(`${other}.sock`));
    const queue = await queues.open();
    await queue.tidy();
    expect(queues.unreadable).toEqual([expect.stringContaining(`${other}.sock cannot be read`)]);
    expect(queue.hasNext).toBe(false);
    fs.rmSync(at(`${other}.sock`));
    await queue.tidy();
    expect(idsOf(await all(queue))).toEqual(['of-other']);
  });

  it('holds only its own events back, until it can be read', async () => {
    const queue = await queues.open({ segmentBytes: 1 });
    await queue.append(encoded('first'));
    await queue.append(encoded('second'));
    const file = at(queues.files('-1.queue')[0]);
    fs.renameSync(file, `${file}.away`);
    fs.mkdirSync(file);
    expect(idsOf(await all(queue))).toEqual(['second']);
    expect(queues.unreadable).toEqual([expect.stringMatching('-1.queue cannot be read: .*EISDIR')]);
    await queue.tidy();
    expect(idsOf(await all(queue))).toEqual([]);
    expect([queues.unreadable.length, queue.isEmpty]).toEqual([1, false]);
  });

  it('to its end loses nothing of what the disk has not returned', async () => {
    const queue = await queues.open();
    for (const id of ['first', 'second']) await queue.append(encoded(id));
    const file = await open(__filename);
    const files = Object.getPrototypeOf(file) as FileHandle;
    await file.close();
    jest
      .spyOn(files, 'read')
      .mockImplementationOnce(
        (buffer: unknown) => Promise.resolve({ bytesRead: 10, buffer }) as ReturnType<FileHandle['read']>,
      )
      .mockRejectedValueOnce(new Error('EIO: i/o error, read'));
    expect(idsOf(await all(queue))).toEqual([]);
    expect([queues.torn, queues.unreadable]).toEqual([[], [expect.stringContaining('EIO')]]);
    await queue.tidy();
    expect(idsOf(await all(queue))).toEqual(['first', 'second']);
    expect(queues.torn).toEqual([]);
  });

  it('holds back only the events that are read again of it', async () => {
    const first = await queues.open({ segmentBytes: 1 });
    await first.append(encoded('first'));
    await first.append(encoded('second'));
    const positions = (await all(first)).events.map(({ position }) => position);
    await positions[0].segment.close();
    const file = positions[0].segment.path;
    fs.renameSync(file, `${file}.away`);
    makeUnreadable(file);
    expect(idsOf(await first.readAt(positions))).toEqual(['second']);
    first.release([positions[1]]);
    expect(idsOf(await all(first))).toEqual(['second']);
    await first.tidy();
    expect([idsOf(await all(first)), queues.unreadable.length, first.isEmpty]).toEqual([[], 1, false]);
    fs.renameSync(`${file}.away`, file);
    await first.tidy();
    expect(idsOf(await all(first))).toEqual(['first']);
    await positions[0].segment.close();
    fs.rmSync(file);
    makeUnreadable(file);
    expect(idsOf(await first.readAt(positions))).toEqual(['second']);
    expect(queues.unreadable).toHaveLength(2);
  });
});
