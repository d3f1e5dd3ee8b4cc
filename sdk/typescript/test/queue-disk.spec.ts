import * as fs from 'node:fs';
import * as path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Notice, PodiumClientOptions } from '../src';
import { PodiumClient } from '../src';
import { encodeLine } from '../src/queue/record-line';
import { EventSender } from '../src/sending/event-sender';
import { EventsInHand } from '../src/sending/events-in-hand';
import { SetAsideEvents } from '../src/sending/set-aside';
import { DocumentedServer } from './documented-server';
import { encoded, partnerEvent } from './events';
import { JumpingClock } from './jumping-clock';
import { OpenedQueues, idsOf } from './opened-queues';

const ended = '0123456789abcdef-1.queue';

describe('sending from a queue whose disk fails in one place or is slow', () => {
  const queues = new OpenedQueues();
  let server: DocumentedServer;
  let options: PodiumClientOptions;
  let notices: Notice[];

  beforeEach(async () => {
    server = new DocumentedServer();
    notices = [];
    options = {
      url: await server.listen(),
      apiKey: 'key',
      platform: 'acme',
      queue: { folder: queues.folder },
      onNotice: (notice) => notices.push(notice),
    };
  });
  afterEach(() => server.close());

  const others = (): string[] => notices.map(({ type }) => type).filter((type) => type !== 'accepted');
  const inFolder = (file: string): string => path.join(queues.folder, file);

  it('sends all other events when a file cannot be read, says so once, and knows that something is left', async () => {
    // It can be opened, and not read.
    fs.mkdirSync(inFolder(ended));
    const client = await PodiumClient.open(options);
    await Promise.all(['a', 'b', 'c'].map((id) => client.enqueue(partnerEvent(id))));
    expect(await client.close({ deadlineMs: 3_000 })).toBe(false);
    expect([...server.accepted].sort()).toEqual(['a', 'b', 'c']);
    expect(others()).toEqual(['claimed', 'queue_failed']);
    expect(notices).toContainEqual(expect.objectContaining({ type: 'queue_failed', level: 'error' }));
  });

  it('sends what is around a damaged area, and reports the area and the file that is kept', async () => {
    const lines = ['before', 'behind'].map((id) => encodeLine(encoded(id).body));
    fs.writeFileSync(inFolder(ended), Buffer.concat([lines[0], Buffer.alloc(300 * 1024), Buffer.from('\n'), lines[1]]));
    const client = await PodiumClient.open(options);
    expect(await client.close({ deadlineMs: 3_000 })).toBe(true);
    expect([...server.accepted]).toEqual(['before', 'behind']);
    expect(others()).toEqual(['claimed', 'damaged_line', 'damaged_file']);
    const kept = notices.find((notice) => notice.type === 'damaged_file');
    expect(fs.statSync(kept?.path ?? '').size).toBeGreaterThan(300 * 1024);
    const letters = fs.readFileSync(inFolder('dead-letters.ndjson'), 'utf8').trimEnd().split('\n');
    expect(letters.map((letter) => JSON.parse(letter) as unknown)).toMatchObject([{ code: 'damaged_line' }]);
  });

  it('sends at full speed while the disk cannot note what is done, and says so once in a while', async () => {
    const queue = await queues.open();
    const clock = new JumpingClock();
    const sent: string[] = [];
    let lastAtMs = 0;
    const sender = new EventSender({
      queue,
      deadLetters: { write: () => Promise.resolve() },
      send: async (events) => {
        await clock.sleep(100);
        sent.push(...events.map(({ id }) => id));
        lastAtMs = clock.nowMs();
        const accepted = { ok: true, outcome: 'accepted', droppedAttributes: [], warnings: [] } as const;
        return events.map(({ id }) => ({ ...accepted, eventId: id }));
      },
      platform: 'acme',
      limits: { maxEvents: () => 10, maxBytes: 1_000_000 },
      clock,
      random: () => 0.5,
      notify: (notice) => notices.push(notice),
    });
    await Promise.all(Array.from({ length: 1_000 }, (_, n) => queue.append(encoded(`e${n}`))));
    const [file] = queues.files('.queue');
    const marks = inFolder(file.replace('.queue', '.done'));
    fs.mkdirSync(marks);
    sender.start();
    while (sent.length < 1_000) await sleep(1);
    expect(new Set(sent).size).toBe(1_000);
    expect(lastAtMs).toBeLessThan(11_000);
    expect(others()).toEqual(['queue_failed', 'queue_failed']);
    fs.rmdirSync(marks);
    await sender.drain(AbortSignal.abort());
  });

  it('ends in time while many events are moved', async () => {
    const queue = await queues.open();
    const deadline = new AbortController();
    let isStopped = false;
    // Moves events until it is told to stop, or for a second.
    jest.spyOn(queue, 'tidy').mockImplementation(async (signal) => {
      deadline.abort();
      for (let turns = 0; turns < 100 && !isStopped; turns++) {
        await sleep(10);
        isStopped = signal?.aborted ?? false;
      }
    });
    const sender = new EventSender({
      queue,
      deadLetters: { write: () => Promise.resolve() },
      send: () => Promise.resolve([]),
      platform: 'acme',
      limits: { maxEvents: () => 10, maxBytes: 1_000_000 },
      clock: new JumpingClock(),
      random: () => 0.5,
      notify: () => undefined,
    });
    sender.start();
    while (!deadline.signal.aborted) await sleep(1);
    await sender.drain(deadline.signal);
    expect(isStopped).toBe(true);
  });

  it('does not wait for an event that was set aside and cannot be read again', async () => {
    const queue = await queues.open({ segmentBytes: 1 });
    const setAside = new SetAsideEvents(() => 0);
    const inHand = new EventsInHand(queue, setAside, { maxEvents: () => 10, maxBytes: 1_000_000 });
    await queue.append(encoded('late', 'late'));
    await inHand.fill(0);
    const [{ event, position }] = inHand.take(0);
    setAside.add('user', event, position, 1_000, 0);
    const { segment } = position;
    await segment.close();
    fs.renameSync(segment.path, inFolder('away'));
    fs.symlinkSync(segment.path, segment.path);
    await queue.append(encoded('other', 'other'));
    await inHand.fill(10_000);
    expect(inHand.take(10_000).map((queued) => queued.event.id)).toEqual(['other']);
    expect([setAside.size, setAside.nextDueMs(), queue.hasNext]).toEqual([0, undefined, false]);
    fs.renameSync(inFolder('away'), segment.path);
    await queue.tidy();
    expect(idsOf(await queue.next())).toEqual(['late']);
  });
});
