import * as fs from 'node:fs/promises';
import { encoded } from '../../test/events';
import { OpenedQueues, all, idsOf } from '../../test/opened-queues';
import type { EventQueue, QueuedEvent } from './event-queue';
import { encodeLine } from './record-line';

jest.mock('node:fs/promises', () => {
  const actual = jest.requireActual<typeof fs>('node:fs/promises');
  return { ...actual, appendFile: jest.fn(actual.appendFile) };
});

const lineBytes = 200;

/** An event whose line has 200 bytes. */
function eventOf(n: number): ReturnType<typeof encoded> {
  return encoded(String(n).padStart(lineBytes - encodeLine(encoded('').body).length, '0'));
}

describe('marks of events that are done', () => {
  const queues = new OpenedQueues();

  /** The next append ends behind the first digit of its first mark, as on a full disk. */
  function fillDisk(): void {
    jest.mocked(fs.appendFile).mockImplementationOnce(async (file, data, options) => {
      await fs.appendFile(file, String(data).slice(0, String(data).search(/\d/) + 1), options);
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    });
  }

  async function filled(queue: EventQueue, count: number): Promise<readonly QueuedEvent[]> {
    await Promise.all(Array.from({ length: count }, (_, n) => queue.append(eventOf(n))));
    return (await all(queue)).events;
  }

  it('do not become the mark of another event when the disk is full for a moment', async () => {
    const first = await queues.open();
    const events = await filled(first, 70);
    // Their marks are 1000 and 2000: what the disk takes of the first is 1, and 12000 is the mark of an event.
    fillDisk();
    await expect(first.done([events[5].position])).rejects.toThrow('ENOSPC');
    await first.done([events[10].position]);
    await queues.close(first);
    const left = idsOf(await all(await queues.open()));
    expect(left).toContain(eventOf(60).id);
    expect(left).not.toContain(eventOf(10).id);
    expect(left).toHaveLength(69);
  });

  it('are not needed to remove a segment of which all is done, and are written for the others', async () => {
    const queue = await queues.open({ segmentBytes: 1 });
    const events: QueuedEvent[] = [];
    for (let n = 0; n < 3; n++) events.push(...(await filled(queue, n === 2 ? 2 : 1)));
    fillDisk();
    const done = events.slice(0, 3).map(({ position }) => position);
    await expect(queue.done(done)).rejects.toThrow('ENOSPC');
    expect(queues.files('.queue')).toHaveLength(1);
    await queues.close(queue);
    expect(idsOf(await all(await queues.open()))).toEqual([eventOf(1).id]);
  });
});
