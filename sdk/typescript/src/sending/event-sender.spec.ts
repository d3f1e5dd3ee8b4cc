import * as fs from 'node:fs';
import * as path from 'node:path';
import { encoded } from '../../test/events';
import { JumpingClock } from '../../test/jumping-clock';
import { temporaryFolders } from '../../test/temporary-folder';
import type { EventResult } from '../api/parse-answer';
import type { EncodedEvent } from '../api/partner-event';
import { errorOf } from '../errors/podium-error';
import { retryClassOf } from '../errors/retry-class';
import type { Notice } from '../notices/notice';
import { DeadLetterFile } from '../queue/dead-letter-file';
import { EventQueue } from '../queue/event-queue';
import { EventSender } from './event-sender';

const folderOf = temporaryFolders();

type Refusal = { status: number; code: string; retry?: string; retryAfterMs?: number };
const notLinked: Refusal = { status: 404, code: 'user_not_linked', retryAfterMs: 60_000 };
const notNegotiated: Refusal = { status: 422, code: 'event_not_negotiated', retryAfterMs: 3_600_000 };
const unavailable: Refusal = { status: 503, code: 'unavailable', retryAfterMs: 2_000 };
const invalid: Refusal = { status: 400, code: 'invalid_request' };
const ahead: Refusal = { ...invalid, retry: 'later', retryAfterMs: 60_000 };
const revoked: Refusal = { status: 401, code: 'unauthorized' };

/** A sender on a queue of its own, with a clock that jumps; a function plays the service. */
class Scene {
  readonly clock = new JumpingClock();
  readonly folder = folderOf();
  readonly notices: Notice[] = [];
  /** What was sent when, in the order of sending. */
  readonly sent: { id: string; atMs: number }[] = [];
  readonly accepted: string[] = [];
  queue!: EventQueue;
  sender!: EventSender;

  async start(answer: (event: EncodedEvent, atMs: number) => Refusal | undefined, maxEvents = 10): Promise<this> {
    const nothing = (): void => undefined;
    const limits = { maxBytes: 2 ** 30, segmentBytes: 100_000 };
    const listeners = { onClaimed: nothing, onTornLine: nothing, onDamagedFile: nothing, onUnreadable: nothing };
    this.queue = await EventQueue.open({ folder: this.folder, ...limits, ...listeners });
    this.sender = new EventSender({
      queue: this.queue,
      deadLetters: DeadLetterFile.in(this.folder, () => '2026-01-01T00:00:00.000Z'),
      platform: 'acme',
      limits: { maxEvents: () => maxEvents, maxBytes: 1_000_000 },
      clock: this.clock,
      random: () => 0.5,
      notify: (notice) => this.notices.push(notice),
      send: (events) => Promise.resolve(events.map((event) => this.result(event, answer))),
    });
    return this;
  }

  async append(...events: EncodedEvent[]): Promise<void> {
    await Promise.all(events.map((event) => this.queue.append(event)));
    this.sender.wake();
  }

  /** Sends until a condition holds. An hour of the scene takes two seconds on an idle machine. */
  async until(condition: () => boolean): Promise<void> {
    this.sender.start();
    for (const endMs = Date.now() + 20_000; !condition(); await new Promise((resolve) => setImmediate(resolve)))
      if (Date.now() > endMs) throw new Error(`not in time: ${JSON.stringify(this.sent.slice(-20))}`);
  }

  async end(): Promise<void> {
    await this.sender.drain(AbortSignal.abort());
    await this.queue.close();
  }

  timesOf(id: string): number[] {
    return this.sent.filter((sent) => sent.id === id).map(({ atMs }) => atMs);
  }

  types(): string[] {
    return this.notices.map(({ type }) => type);
  }

  deadLetters(): { code: string; event: { event: { id: string } } }[] {
    const file = path.join(this.folder, 'dead-letters.ndjson');
    if (!fs.existsSync(file)) return [];
    const lines = fs.readFileSync(file, 'utf8').trimEnd().split('\n');
    return lines.map((line) => JSON.parse(line) as { code: string; event: { event: { id: string } } });
  }

  private result(event: EncodedEvent, answer: (event: EncodedEvent, atMs: number) => Refusal | undefined): EventResult {
    const atMs = this.clock.nowMs();
    this.sent.push({ id: event.id, atMs });
    const refusal = answer(event, atMs);
    if (refusal) {
      const details = { ...refusal, message: refusal.code, eventId: event.id };
      return { ok: false, eventId: event.id, error: errorOf(retryClassOf(refusal), details) };
    }
    this.accepted.push(event.id);
    return { ok: true, eventId: event.id, outcome: 'accepted', droppedAttributes: [], warnings: [] };
  }
}

describe('EventSender', () => {
  let scene: Scene;
  beforeEach(() => (scene = new Scene()));
  afterEach(() => scene.end());

  it('sends everything once, in batches', async () => {
    await scene.start(() => undefined);
    await scene.append(...Array.from({ length: 25 }, (_, n) => encoded(`e${n}`)));
    await scene.until(() => scene.accepted.length === 25);
    expect(scene.sent.map(({ id }) => id)).toEqual(Array.from({ length: 25 }, (_, n) => `e${n}`));
    expect(scene.types()).toEqual(Array<string>(25).fill('accepted'));
  });

  it('holds back no one for a user who is not linked, and asks with one event a time', async () => {
    await scene.start(({ platformUserId }, atMs) =>
      platformUserId === 'late' && atMs < 300_000 ? notLinked : undefined,
    );
    const late = Array.from({ length: 50 }, (_, n) => encoded(`late${n}`, 'late'));
    const others = Array.from({ length: 50 }, (_, n) => encoded(`other${n}`, `user${n}`));
    await scene.append(...late.flatMap((event, n) => [event, others[n]]));
    await scene.until(() => scene.accepted.length === 50);
    expect(scene.clock.nowMs()).toBeLessThan(1_000);
    expect(scene.accepted.every((id) => id.startsWith('other'))).toBe(true);
    await scene.until(() => scene.accepted.length === 100);
    const refusedTries = scene.sent.filter(({ id, atMs }) => id.startsWith('late') && atMs >= 60_000 && atMs < 300_000);
    // At Retry-After, because more of the user's events came; then the doubled time with a tenth on top. The third is accepted.
    expect(refusedTries.map(({ atMs }) => Math.round(atMs / 1000))).toEqual([60, 192]);
    // Before that only the ones that were in the first batch together.
    expect(scene.sent.filter(({ id, atMs }) => id.startsWith('late') && atMs < 60_000).length).toBeLessThanOrEqual(5);
  });

  it('sets a name aside that is not negotiated, and sends its events when it is', async () => {
    await scene.start(({ name }, atMs) => (name === 'bet' && atMs < 3_000_000 ? notNegotiated : undefined));
    await scene.append(encoded('b1', 'u1', 'bet'), encoded('d1', 'u1'), encoded('b2', 'u2', 'bet'));
    await scene.until(() => scene.accepted.length === 3);
    expect(scene.accepted[0]).toBe('d1');
    expect(
      scene
        .timesOf('b1')
        .concat(scene.timesOf('b2'))
        .filter((ms) => ms > 1_000),
    ).toHaveLength(2);
  });

  it('keeps events apart whose user is not linked once their name is negotiated', async () => {
    await scene.start(({ name, platformUserId }, atMs) => {
      if (name === 'bet' && atMs < 3_000_000) return notNegotiated;
      return platformUserId === 'late' && atMs < 9_000_000 ? notLinked : undefined;
    });
    await scene.append(encoded('b1', 'late', 'bet'), encoded('b2', 'u2', 'bet'), encoded('b3', 'late', 'bet'));
    await scene.until(() => scene.accepted.length === 3);
    expect(scene.accepted[0]).toBe('b2');
  });

  it('writes refused events with their reason, and goes on', async () => {
    await scene.start(({ id }) => (id.startsWith('bad') ? invalid : undefined));
    await scene.append(encoded('bad1'), encoded('good'), encoded('bad2'));
    await scene.until(() => scene.notices.length === 3);
    expect(scene.deadLetters().map(({ code, event }) => [code, event.event.id])).toEqual([
      ['invalid_request', 'bad1'],
      ['invalid_request', 'bad2'],
    ]);
    expect(scene.types().sort()).toEqual(['accepted', 'dead_letter', 'dead_letter']);
    expect(scene.sent).toHaveLength(3);
  });

  it('sends all others, once, while the dead letters of refused events cannot be written', async () => {
    // As a file of another user, it cannot be opened.
    const file = path.join(scene.folder, 'dead-letters.ndjson');
    fs.mkdirSync(file);
    await scene.start(({ id }) => (id.startsWith('bad') ? invalid : undefined));
    await scene.append(...Array.from({ length: 60 }, (_, n) => encoded(n % 3 === 0 ? `bad${n}` : `e${n}`)));
    await scene.until(() => scene.accepted.length === 40);
    expect(new Set(scene.accepted).size).toBe(40);
    expect(scene.types()).toContain('queue_failed');
    expect(scene.types()).not.toContain('dead_letter');
    fs.rmdirSync(file);
    await scene.until(() => scene.types().filter((type) => type === 'dead_letter').length === 20);
    expect(scene.deadLetters()).toHaveLength(20);
    expect(scene.accepted).toHaveLength(40);
    expect([scene.sender.setAside.size, scene.sender.setAside.nextDueMs()]).toEqual([0, undefined]);
  });

  it('sends all others at full speed when more refused events than memory holds wait for their dead letters', async () => {
    const file = path.join(scene.folder, 'dead-letters.ndjson');
    fs.mkdirSync(file);
    await scene.start(({ id }) => (id.startsWith('bad') ? invalid : undefined), 40);
    await scene.append(...Array.from({ length: 1_200 }, (_, n) => encoded(`bad${n}`, `u${n}`)));
    await scene.append(...Array.from({ length: 100 }, (_, n) => encoded(`e${n}`, `u${n}`)));
    await scene.until(() => scene.accepted.length === 100);
    expect(scene.clock.nowMs()).toBeLessThan(1_000);
    expect(new Set(scene.sent.map(({ id }) => id)).size).toBe(scene.sent.length);
    expect([scene.sender.setAside.size, scene.sender.inHand.size]).toEqual([1_200, 0]);
    // Of batches that had a refused event, one each; of no event.
    expect(scene.types().filter((type) => type === 'queue_failed')).toHaveLength(1_200 / 40);
    expect(scene.types()).not.toContain('set_aside');
    await scene.until(() => scene.clock.nowMs() > 3_600_000);
    // After a minute, then doubling.
    expect(scene.timesOf('bad0').length).toBeLessThan(8);
    fs.rmdirSync(file);
    await scene.until(() => scene.types().filter((type) => type === 'dead_letter').length === 1_200);
    expect(new Set(scene.deadLetters().map(({ event }) => event.event.id)).size).toBe(1_200);
    expect([scene.sender.setAside.size, scene.sender.setAside.nextDueMs()]).toEqual([0, undefined]);
  });

  it('does not send refused events again because another is appended while dead letters cannot be written', async () => {
    fs.mkdirSync(path.join(scene.folder, 'dead-letters.ndjson'));
    await scene.start(({ id }) => (id.startsWith('bad') ? invalid : undefined));
    await scene.append(...Array.from({ length: 5 }, (_, n) => encoded(`bad${n}`)));
    await scene.until(() => scene.sender.setAside.size === 5);
    for (let n = 1; n <= 5; n++) {
      await scene.append(encoded(`e${n}`));
      await scene.until(() => scene.accepted.length === n);
    }
    expect(scene.sent.filter(({ id, atMs }) => id.startsWith('bad') && atMs < 60_000)).toHaveLength(5);
  });

  it.each([
    ['user', notLinked],
    ['name', notNegotiated],
  ])('sends what waits for the same %s as a refused event that has no dead letter yet', async (_what, refusal) => {
    fs.mkdirSync(path.join(scene.folder, 'dead-letters.ndjson'));
    let isReady = false;
    await scene.start(({ id }) => (!isReady ? refusal : id === 'bad' ? invalid : undefined));
    await scene.append(encoded('a', 'late'));
    await scene.until(() => scene.sender.setAside.size === 1);
    await scene.append(encoded('bad', 'late'));
    await scene.until(() => scene.sender.setAside.size === 2);
    isReady = true;
    await scene.until(() => scene.types().includes('queue_failed'));
    await scene.append(encoded('b', 'late'));
    await scene.until(() => scene.accepted.length === 2);
    expect([...scene.accepted].sort()).toEqual(['a', 'b']);
  });

  it('keeps an event that is ahead of the clock of Podium, alone, and sends it after Retry-After', async () => {
    await scene.start(({ id }, atMs) => (id.startsWith('ahead') && atMs < 60_000 ? ahead : undefined), 1);
    await scene.append(encoded('ahead1', 'u1'), encoded('e', 'u1'), encoded('ahead2', 'u1'));
    await scene.until(() => scene.accepted.length === 3);
    expect(scene.accepted[0]).toBe('e');
    expect(scene.timesOf('e')[0]).toBeLessThan(1_000);
    for (const id of ['ahead1', 'ahead2']) {
      expect(scene.timesOf(id)).toHaveLength(2);
      expect(scene.timesOf(id)[1]).toBeLessThan(100_000);
    }
    expect([scene.deadLetters(), scene.sender.setAside.size]).toEqual([[], 0]);
    expect(scene.types().filter((type) => type === 'set_aside')).toHaveLength(2);
  });

  it('sets an event aside for its user that was ahead of the clock before', async () => {
    await scene.start(({ id }, atMs) => {
      if (id === 'ahead' && atMs < 60_000) return ahead;
      return atMs < 300_000 ? notLinked : undefined;
    });
    await scene.append(encoded('ahead', 'late'), encoded('e', 'late'));
    await scene.until(() => scene.accepted.length === 2);
    expect(scene.deadLetters()).toEqual([]);
    expect([scene.sender.setAside.size, scene.sender.setAside.nextDueMs()]).toEqual([0, undefined]);
  });

  it.each([
    ['its last event', 1],
    ['all of its events', 2],
  ])('sends further events of a user after it could not read %s again', async (_what, unreadable) => {
    let isLinked = false;
    await scene.start(({ platformUserId }) => (platformUserId === 'late' && !isLinked ? notLinked : undefined));
    await scene.append(encoded('late1', 'late'));
    await scene.until(() => scene.sender.setAside.size === 1);
    await scene.append(encoded('late2', 'late'));
    await scene.until(() => scene.sender.setAside.size === 2);
    // Which of both is tried first depends on whether a try of the first was under way when the second came.
    const unread: string[] = [];
    const readAt = scene.queue.readAt.bind(scene.queue);
    jest.spyOn(scene.queue, 'readAt').mockImplementation(async (positions) => {
      const read = await readAt(positions);
      if (positions.length === 0 || unread.length === unreadable) return read;
      unread.push(...read.events.map(({ event }) => event.id));
      return { events: [], damaged: positions.map((position) => ({ position, damaged: '' })) };
    });
    isLinked = true;
    await scene.until(() => scene.types().filter((type) => type === 'damaged_line').length === unreadable);
    await scene.append(encoded('late3', 'late'));
    const sendable = ['late1', 'late2', 'late3'].filter((id) => !unread.includes(id));
    expect(sendable).toHaveLength(3 - unreadable);
    await scene.until(() => scene.accepted.length === sendable.length);
    expect([...scene.accepted].sort()).toEqual(sendable);
    expect(scene.deadLetters().map(({ code }) => code)).toEqual(Array<string>(unreadable).fill('damaged_line'));
    expect([scene.sender.setAside.size, scene.sender.setAside.nextDueMs()]).toEqual([0, undefined]);
  });

  it('waits longer and longer during an outage, never less than Retry-After, and loses nothing', async () => {
    await scene.start((_, atMs) => (atMs < 100_000 ? unavailable : undefined));
    await scene.append(...Array.from({ length: 15 }, (_, n) => encoded(`e${n}`)));
    await scene.until(() => new Set(scene.accepted).size === 15);
    const rounds = [...new Set(scene.sent.map(({ atMs }) => atMs))].filter((ms) => ms < 100_000);
    const gaps = rounds.slice(1).map((ms, at) => ms - rounds[at]);
    expect(gaps.length).toBeGreaterThan(3);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(2_000);
    expect(gaps.at(-1)).toBeGreaterThan(4 * gaps[0]);
    expect(scene.accepted).toHaveLength(15);
  });

  it('sends the others at full speed when one event alone fails for the moment', async () => {
    await scene.start(({ id }, atMs) =>
      id === 'poison' && atMs < 50_000 ? { status: 500, code: 'internal_error' } : undefined,
    );
    await scene.append(encoded('poison'), ...Array.from({ length: 40 }, (_, n) => encoded(`e${n}`)));
    await scene.until(() => scene.accepted.length === 40);
    expect(scene.clock.nowMs()).toBeLessThan(1_000);
    await scene.until(() => scene.accepted.includes('poison'));
  });

  it('stops at a refused key with one notice, asks with one event, and goes on when it is accepted', async () => {
    let isRevoked = true;
    await scene.start(() => (isRevoked ? revoked : undefined));
    await scene.append(...Array.from({ length: 30 }, (_, n) => encoded(`e${n}`)));
    await scene.until(() => scene.clock.nowMs() > 1_000_000);
    expect(scene.sender.paused).toMatchObject({ code: 'unauthorized', retry: 'pause', retryable: false });
    expect(scene.types().filter((type) => type === 'paused')).toHaveLength(1);
    expect(scene.sent.length).toBeLessThanOrEqual(10 + 4);
    isRevoked = false;
    await scene.until(() => new Set(scene.accepted).size === 30);
    expect(scene.types().filter((type) => type === 'resumed')).toHaveLength(1);
    expect(scene.sender.paused).toBeUndefined();
  });

  it('gives up an event that an earlier process stored for another platform', async () => {
    const mismatch: Refusal = { status: 403, code: 'platform_mismatch' };
    await scene.start(({ body }) => (body.includes('"acmee"') ? mismatch : undefined));
    const earlier = encoded('earlier');
    await scene.append({ ...earlier, body: earlier.body.replace('"acme"', '"acmee"') }, encoded('good'));
    await scene.until(() => scene.types().includes('dead_letter') && scene.accepted.length === 1);
    expect(scene.deadLetters()).toMatchObject([{ code: 'platform_mismatch', event: { event: { id: 'earlier' } } }]);
    expect(scene.types()).not.toContain('paused');
  });

  it('pauses for its own platform, and tries another event each time', async () => {
    const mismatch: Refusal = { status: 403, code: 'platform_mismatch' };
    await scene.start(({ id }) => (id === 'bad' ? mismatch : undefined));
    await scene.append(encoded('bad'));
    await scene.until(() => scene.sender.paused !== undefined);
    await scene.append(encoded('good'));
    scene.sender.resume();
    await scene.until(() => scene.accepted.length === 1);
    expect(scene.deadLetters()).toEqual([]);
  });

  it('does not try one event alone while it is paused, whose answer is a temporary error', async () => {
    await scene.start(({ id }, atMs) => (atMs === 0 ? revoked : id === 'a' ? unavailable : undefined));
    await scene.append(encoded('a'), encoded('b'));
    await scene.until(() => scene.accepted.length === 1);
    expect(scene.timesOf('a').length).toBeLessThanOrEqual(2);
  });

  it.each([
    ['a user who is not linked', notLinked],
    ['an event that is given up', invalid],
  ])('ends a pause by the answer for %s', async (_what, refusal) => {
    let isRevoked = true;
    await scene.start(({ id }) => (isRevoked ? revoked : id === 'e0' ? refusal : undefined));
    await scene.append(...Array.from({ length: 25 }, (_, n) => encoded(`e${n}`, `user-${n}`)));
    await scene.until(() => scene.sender.paused !== undefined);
    const before = scene.sent.length;
    isRevoked = false;
    await scene.until(() => scene.accepted.length === 24);
    expect(scene.types().filter((type) => type === 'resumed')).toHaveLength(1);
    expect(scene.sender.paused).toBeUndefined();
    expect(scene.sent.length).toBeLessThanOrEqual(before + 26);
  });

  it('looks for ended processes every half a minute while it is paused', async () => {
    await scene.start(() => revoked);
    const tidied = jest.spyOn(scene.queue, 'tidy');
    await scene.append(encoded('e'));
    await scene.until(() => scene.clock.nowMs() > 290_000);
    expect(tidied.mock.calls.length).toBeGreaterThanOrEqual(8);
  });

  it.each([
    ['a refused key', revoked],
    ['a user who is not linked', notLinked],
  ])('waits before it tries again after a Retry-After of 0: %s', async (_what, refusal) => {
    // Without a wait the time would stay the same, and nothing else would run.
    const isRefused = (atMs: number): boolean => atMs < 50_000 && scene.sent.length < 100;
    await scene.start((_, atMs) => (isRefused(atMs) ? { ...refusal, retryAfterMs: 0 } : undefined));
    await scene.append(encoded('e'));
    await scene.until(() => scene.accepted.length === 1);
    expect(scene.sent).toHaveLength(2);
  });

  it('tries at once when it is told that the cause is gone', async () => {
    let isRevoked = true;
    await scene.start(() => (isRevoked ? revoked : undefined));
    await scene.append(encoded('e'));
    await scene.until(() => scene.sender.paused !== undefined);
    isRevoked = false;
    const beforeMs = scene.clock.nowMs();
    scene.sender.resume();
    await scene.until(() => scene.accepted.length === 1);
    expect(scene.clock.nowMs() - beforeMs).toBeLessThan(300_000);
  });
});
