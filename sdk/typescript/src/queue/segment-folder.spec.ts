import * as fs from 'node:fs';
import * as path from 'node:path';
import { encoded } from '../../test/events';
import { OpenedQueues, all, idsOf } from '../../test/opened-queues';
import { encodeLine } from './record-line';
import { SegmentFolder } from './segment-folder';

const ended = '0123456789abcdef';

describe('taking over from a process that has ended', () => {
  const queues = new OpenedQueues();

  /** Two events in a segment of this number. */
  function leave(n: number): void {
    const lines = [`e${n}-1`, `e${n}-2`].map((id) => encodeLine(encoded(id).body));
    fs.writeFileSync(path.join(queues.folder, `${ended}-${n}.queue`), Buffer.concat(lines));
  }

  beforeEach(() => {
    for (const n of [1, 2]) leave(n);
    // The disk was full in the middle of a mark.
    fs.writeFileSync(path.join(queues.folder, `${ended}-2.done`), '9999999;\n1');
  });
  afterEach(() => jest.restoreAllMocks());

  function failOnce(): void {
    jest.spyOn(SegmentFolder.prototype, 'sync').mockRejectedValueOnce(new Error('EIO: i/o error, fsync'));
  }
  const allIds = ['e1-1', 'e1-2', 'e2-1', 'e2-2'];

  it('writes nothing, so that it needs no space', async () => {
    await queues.open();
    const [marks] = queues.files('.done');
    expect(fs.readFileSync(path.join(queues.folder, marks), 'utf8')).toBe('9999999;\n1');
  });

  it('keeps the order in which it was written, also that of more than nine segments', async () => {
    const numbers = [3, 4, 5, 6, 7, 8, 9, 10, 11];
    numbers.forEach(leave);
    const ids = numbers.flatMap((n) => [`e${n}-1`, `e${n}-2`]);
    expect(idsOf(await all(await queues.open()))).toEqual([...allIds, ...ids]);
  });

  it('leaves everything to the next one when the queue cannot be opened', async () => {
    failOnce();
    await expect(queues.open()).rejects.toThrow('EIO');
    expect(queues.files('.sock')).toEqual([]);
    expect(idsOf(await all(await queues.open()))).toEqual(allIds);
  });

  it('keeps what was taken when it fails behind it', async () => {
    for (const file of queues.files(''))
      fs.renameSync(path.join(queues.folder, file), path.join(queues.folder, `${file}.later`));
    const queue = await queues.open();
    for (const file of queues.files('.later'))
      fs.renameSync(path.join(queues.folder, file), path.join(queues.folder, file.replace('.later', '')));
    failOnce();
    await expect(queue.tidy()).rejects.toThrow('EIO');
    expect(queues.claimed).toEqual([2]);
    expect(idsOf(await all(queue))).toEqual(allIds);
  });
});
