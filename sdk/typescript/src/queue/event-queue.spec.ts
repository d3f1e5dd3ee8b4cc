import * as fs from 'node:fs';
import * as path from 'node:path';
import { encoded } from '../../test/events';
import { OpenedQueues, all, idsOf } from '../../test/opened-queues';

describe('EventQueue', () => {
  const queues = new OpenedQueues();

  it('returns events in order, exactly as they were appended', async () => {
    const queue = await queues.open();
    const strange = { ...encoded('line\nfeed \u2028 "quotes" ü 🎉', 'a:b', 'c') };
    for (const event of [encoded('1'), strange, encoded('3')]) await queue.append(event);
    const { events } = await all(queue);
    expect(events.map(({ event }) => event)).toEqual([encoded('1'), strange, encoded('3')]);
  });

  it('returns what was not done to the next process, and only that', async () => {
    const first = await queues.open();
    for (let n = 0; n < 10; n++) await first.append(encoded(`e${n}`));
    const { events } = await all(first);
    await first.done(events.filter((_, at) => at % 2 === 0).map(({ position }) => position));
    await queues.close(first);
    const second = await queues.open();
    expect(queues.claimed).toEqual([1]);
    expect(idsOf(await all(second))).toEqual(['e1', 'e3', 'e5', 'e7', 'e9']);
  });

  it('leaves nothing on disk when everything is done', async () => {
    const queue = await queues.open();
    await Promise.all([1, 2, 3].map((n) => queue.append(encoded(`e${n}`))));
    const { events } = await all(queue);
    await queue.done(events.map(({ position }) => position));
    await queues.close(queue);
    expect(fs.readdirSync(queues.folder)).toEqual([]);
  });

  it('leaves out a torn last line, and keeps the lines before it', async () => {
    const first = await queues.open();
    for (const id of ['1', '2', '3']) await first.append(encoded(id));
    await queues.close(first);
    const file = path.join(queues.folder, queues.files('.queue')[0]);
    const bytes = fs.readFileSync(file);
    for (const cut of [1, 30, bytes.length / 3 - 1]) {
      fs.writeFileSync(file, bytes.subarray(0, bytes.length - cut));
      const queue = await queues.open();
      const { events, damaged } = await all(queue);
      expect([events.map(({ event }) => event.id), damaged]).toEqual([['1', '2'], []]);
      expect(queues.torn.splice(0)).toEqual([bytes.length / 3 - cut]);
      await queues.close(queue);
      fs.renameSync(path.join(queues.folder, queues.files('.queue')[0]), file);
    }
  });

  it('finds a damaged line in the middle, and reads on behind it', async () => {
    const first = await queues.open();
    for (const id of ['1', '2', '3']) await first.append(encoded(id));
    await queues.close(first);
    const file = path.join(queues.folder, queues.files('.queue')[0]);
    const bytes = fs.readFileSync(file);
    bytes[bytes.length / 2] ^= 1;
    fs.writeFileSync(file, bytes);
    const { events, damaged } = await all(await queues.open());
    expect(events.map(({ event }) => event.id)).toEqual(['1', '3']);
    expect(damaged).toHaveLength(1);
  });

  it('does not take a torn mark for another event', async () => {
    const first = await queues.open();
    for (let n = 0; n < 20; n++) await first.append(encoded(`e${n}`));
    const { events } = await all(first);
    const last = events[19].position;
    await first.done([last]);
    await queues.close(first);
    const marks = path.join(queues.folder, queues.files('.done')[0]);
    // The number of the last event, cut to that of the first one.
    const text = fs.readFileSync(marks, 'utf8');
    fs.writeFileSync(marks, `${text}0`);
    const second = await queues.open();
    await second.done([]);
    await queues.close(second);
    expect(idsOf(await all(await queues.open()))).toHaveLength(19);
  });

  it('leaves the segments of a process that runs to it, and takes over those of one that has ended', async () => {
    const first = await queues.open();
    await first.append(encoded('of-first'));
    const second = await queues.open();
    await second.append(encoded('of-second'));
    expect(idsOf(await all(second))).toEqual(['of-second']);
    await queues.close(first);
    await second.tidy();
    expect(idsOf(await all(second))).toEqual(['of-first']);
  });

  it('gives each segment to one of several processes that take over at once', async () => {
    const first = await queues.open({ segmentBytes: 1 });
    for (let n = 0; n < 30; n++) await first.append(encoded(`e${n}`));
    await queues.close(first);
    const others = await Promise.all([1, 2, 3, 4].map(() => queues.open()));
    await Promise.all(others.map((queue) => queue.tidy()));
    const found = (await Promise.all(others.map(all))).flatMap(idsOf);
    expect(found.sort()).toEqual(Array.from({ length: 30 }, (_, n) => `e${n}`).sort());
  });

  it('writes again what another process may have read too early', async () => {
    const queue = await queues.open();
    await queue.append(encoded('before'));
    // As by a process that takes this one for dead.
    const [file] = queues.files('.queue');
    fs.renameSync(path.join(queues.folder, file), path.join(queues.folder, `0123456789abcdef-1.queue`));
    await queue.append(encoded('after'));
    await queues.close(queue);
    expect(new Set(idsOf(await all(await queues.open())))).toEqual(new Set(['before', 'after']));
  });

  it('refuses events beyond its size', async () => {
    const queue = await queues.open({ maxBytes: 1_000 });
    const results = await Promise.allSettled(Array.from({ length: 20 }, (_, n) => queue.append(encoded(`e${n}`))));
    const refused = results.filter(({ status }) => status === 'rejected');
    expect(refused.length).toBeGreaterThan(10);
    expect(refused[0]).toMatchObject({ reason: { code: 'queue_full', retryable: true } });
    expect(idsOf(await all(queue))).toHaveLength(20 - refused.length);
    expect(queue.bytes).toBeLessThanOrEqual(1_000);
  });

  it('moves the few events that wait out of old segments, and does not return them twice', async () => {
    const queue = await queues.open({ segmentBytes: 2_000 });
    for (let n = 0; n < 50; n++) await queue.append(encoded(`e${n}`));
    const { events } = await all(queue);
    const waiting = events.filter((_, at) => at % 25 === 0);
    await queue.done(events.filter((_, at) => at % 25 !== 0).map(({ position }) => position));
    const before = queues.files('.queue').length;
    await queue.tidy();
    expect(queues.files('.queue').length).toBeLessThan(before);
    expect(idsOf(await all(queue))).toEqual([]);
    expect(idsOf(await queue.readAt(waiting.map(({ position }) => position)))).toEqual(['e0', 'e25']);
    queue.release([waiting[1].position]);
    expect(idsOf(await queue.next())).toEqual(['e25']);
    await queue.done([waiting[1].position]);
    await queues.close(queue);
    expect(idsOf(await all(await queues.open()))).toEqual(['e0']);
  });
});
