import { createLog } from '@podium/runtime/log';
import { queryable } from '@podium/runtime/postgres';
import { userEvent } from '@podium/testing/user-event';
import { link } from '../../test/applied-tables';
import { Answer, DefinitionsApi, startDefinitionsApi } from '../../test/definitions-api';
import { applyBatch } from '../applying/apply-batch';
import { ApplyParts } from '../applying/apply-parts';
import { addUpDays } from '../awards/day-counts.store';
import { settleDue } from '../due/settle-due';
import { sweepDefinitions } from '../due/sweep-definitions';
import { applyLinks } from '../link-view/apply-links';
import { LiveDefinitions } from '../progress/live-definitions';
import { countPausedByEngine } from './engine-pauses.store';
import { pauseTasksOverRate } from './pause-over-rate';

const dayS = 86_400;
const logger = createLog({ service: 'test', instance: 'test', level: 'silent' });
const task = {
  platform: 'acme',
  name: 'Each deposit',
  goal: { count: { event: 'deposit' }, op: 'gte', value: 1 },
  repeat: { every: '1' },
  max_per_user: 1000,
  reward: { type: 'points', amount: '1' },
  claw_back: 'always',
};

describe('pauses by the engine', () => {
  let api: DefinitionsApi;
  let parts: ApplyParts;
  let offset = 0n;
  let nowMs = Date.now();

  beforeAll(async () => {
    api = await startDefinitionsApi();
    parts = new ApplyParts(api.pool, new LiveDefinitions(api.store), () => nowMs);
    await applyLinks(parts, {
      ...{ topic: 'links', partition: 0, position: 'any', nextOffset: 1n, erased: [] },
      links: [link('user-1', 'ready', 10)],
    });
  });
  afterAll(() => api?.stop());

  it('stop a task after a day with more awards than it may have; resumed, it pays what was held and that day again', async () => {
    const id = await api.created('/tasks', { ...task, max_per_day: 3 });
    expect((await api.publish(`/tasks/${id}`)).json).toMatchObject({ pauses_above: 3, state: 'published' });
    nowMs = Date.now() + 1000;
    await deposit('a', 3);
    expect(await check()).toBe(0);
    await deposit('b', 1);
    // Several instances look at the same time.
    const paused = await Promise.all([check(), check(), check()]);
    expect(paused.reduce((sum, count) => sum + count, 0)).toBe(1);
    const day = new Date(nowMs).toISOString().slice(0, 10);
    const because = { day, awards: 4, max_per_day: 3 };
    expect((await api.call('GET', `/tasks/${id}`)).json).toMatchObject({ state: 'paused', paused_by_engine: because });
    const audit = await api.call('GET', `/tasks/${id}/audit`);
    expect(audit.json.items[0]).toMatchObject({ operator_id: 'engine', action: 'task.paused', details: because });
    expect(await countPausedByEngine(queryable(api.pool))).toBe(1);

    await deposit('c', 2);
    expect(await issued(id)).toBe(4);
    expect((await api.call('POST', `/tasks/${id}/resume`, {})).json).toMatchObject({
      ...{ state: 'published', paused_by_engine: null },
    });
    while ((await sweepDefinitions(parts, 100)) > 0);
    await settleDue(parts, 100);
    expect(await issued(id)).toBe(6);
    expect(await check()).toBe(0);
    nowMs += dayS * 1000;
    await deposit('d', 4);
    expect(await check()).toBe(1);
  });

  it('count nothing for tasks that have no rate', async () => {
    const id = await api.created('/tasks', task);
    expect((await api.publish(`/tasks/${id}`)).json).toMatchObject({ pauses_above: null });
    nowMs += 1000;
    await deposit('e', 20);
    await check();
    const { rows } = await api.pool.query(`SELECT FROM engagement.task_days WHERE task_id = $1`, [id]);
    expect(rows).toHaveLength(0);
  });

  describe('follow the version in force on a day:', () => {
    const now = new Date();
    const dayAt = (days: number): string => new Date(now.getTime() + days * dayS * 1000).toISOString().slice(0, 10);
    const inForceOn = (day: string): string => `${day}T00:00:00Z`;

    it.each<[string, { first?: number; second?: number; day: number; awards: number; pauses: boolean }]>([
      ['a later rate is not for the days before it', { second: 100, day: 1, awards: 500, pauses: false }],
      [
        'a lower rate is not for a day that is over',
        { first: 1000, second: 500, day: -14, awards: 800, pauses: false },
      ],
      ['a rate lasts until a version without one', { first: 1000, day: 1, awards: 1001, pauses: true }],
      ['a version without a rate has none', { first: 1000, day: 5, awards: 5000, pauses: false }],
      ['a later rate is for its days', { first: 1000, second: 500, day: 5, awards: 501, pauses: true }],
    ])('%s', async (_what, { first, second, day, awards, pauses }) => {
      const id = await api.created('/tasks', { ...task, ...(first === undefined ? {} : { max_per_day: first }) });
      await api.publish(`/tasks/${id}`);
      const { platform: _platform, ...version } = task;
      const next = { ...version, zone: 'UTC', ...(second === undefined ? {} : { max_per_day: second }) };
      expect((await api.call('POST', `/tasks/${id}/versions`, next)).status).toBe(201);
      const published = await api.publish(`/tasks/${id}`, { in_force_from: inForceOn(dayAt(3)) });
      expect(published.status).toBe(200);
      await api.pool.query('INSERT INTO engagement.task_days (task_id, day, awards) VALUES ($1, $2, $3)', [
        ...[id, dayAt(day), awards],
      ]);
      await check();
      expect((await api.call('GET', `/tasks/${id}`)).json.state).toBe(pauses ? 'paused' : 'published');
      await api.call('POST', `/tasks/${id}/resume`);
      expect(await check()).toBe(0);
    });
  });

  describe('of a task that has ended', () => {
    const over = { day: new Date().toISOString().slice(0, 10), awards: 150, max_per_day: 100 };

    async function ended(minutesAgo: number, awards = over.awards): Promise<string> {
      const id = await api.created('/tasks', { ...task, max_per_day: over.max_per_day });
      await api.publish(`/tasks/${id}`);
      nowMs = Math.max(nowMs, Date.now()) + 1000;
      expect((await api.call('POST', `/tasks/${id}/end`)).json).toMatchObject({ state: 'ended' });
      await api.pool.query(
        `UPDATE engagement.definitions SET ended_at = now() - make_interval(mins => $2) WHERE definition_id = $1`,
        [id, minutesAgo],
      );
      await api.pool.query('INSERT INTO engagement.task_days (task_id, day, awards) VALUES ($1, $2, $3)', [
        ...[id, over.day, awards],
      ]);
      return id;
    }

    const isPaused = async (id: string): Promise<boolean> => {
      const { definitions } = await api.store.loadPublished(queryable(api.pool));
      return definitions.find(({ definitionId }) => definitionId === id)!.paused;
    };
    const pause = (id: string): Promise<Answer> => api.call('POST', `/tasks/${id}/pause`);

    it('hold what it still reaches, and tell of it until an operator has confirmed the pause', async () => {
      const before = await countPausedByEngine(queryable(api.pool));
      const id = await ended(-15);
      expect((await Promise.all([check(), check(), check()])).filter((count) => count > 0)).toEqual([1]);
      expect(await isPaused(id)).toBe(true);
      // Before its end, and applied after it.
      await deposit('f', 2, Date.now() + 1000);
      expect(await issued(id)).toBe(0);
      const { items: unissued } = (await api.call('GET', `/tasks/${id}/unissued?limit=100`)).json;
      expect(new Set(unissued.map(({ status }) => status as string))).toEqual(new Set(['held_by_pause']));
      expect((await api.call('GET', `/tasks/${id}`)).json).toMatchObject({
        ...{ state: 'ended', ended_while_paused: true, paused_by_engine: over },
      });
      const audit = await api.call('GET', `/tasks/${id}/audit`);
      const details = { ...over, ended_at: expect.stringMatching(/^\d{4}-.*Z$/) as string };
      expect(audit.json.items[0]).toMatchObject({ operator_id: 'engine', action: 'task.paused', details });
      expect(await countPausedByEngine(queryable(api.pool))).toBe(before + 1);

      const confirmed = { status: 200, json: { state: 'ended', ended_while_paused: true, paused_by_engine: null } };
      expect(await pause(id)).toMatchObject(confirmed);
      expect(await countPausedByEngine(queryable(api.pool))).toBe(before);
      expect(await check()).toBe(0);
      // Only once for the audit trail.
      expect(await pause(id)).toMatchObject(confirmed);
      const { items } = (await api.call('GET', `/tasks/${id}/audit`)).json;
      expect(items.map(({ action, operator_id: by }) => [action, by]).slice(0, 3)).toEqual([
        ['task.paused', 'operator-1'],
        ['task.paused', 'engine'],
        ['task.ended', 'operator-1'],
      ]);
    });

    it('also work until no event of before its close can be waiting', async () => {
      const days = 24 * 60;
      await ended(57 * days);
      expect(await check()).toBe(0);
      const id = await ended(55 * days);
      expect(await check()).toBe(1);
      expect(await isPaused(id)).toBe(true);
    });

    it('can be ordered by an operator while it can still award', async () => {
      const id = await ended(60, 1);
      expect(await isPaused(id)).toBe(false);
      expect((await pause(id)).json).toMatchObject({ state: 'ended', ended_while_paused: true });
      expect(await isPaused(id)).toBe(true);
      expect((await api.call('POST', `/tasks/${id}/resume`)).json.error.message).toMatch(/has ended/);
      const over = await ended(57 * 24 * 60, 1);
      expect(await pause(over)).toMatchObject({
        status: 409,
        json: { error: { message: 'This task has ended and awards nothing any more; there is nothing to pause.' } },
      });
    });
  });

  it('refuse a rate that is no whole number from 1', async () => {
    const { status, json } = await api.call('POST', '/tasks', { ...task, max_per_day: 0 });
    expect({ status, message: json.error.message }).toEqual({
      status: 400,
      message: expect.stringMatching(/max_per_day/),
    });
  });

  async function deposit(name: string, times: number, atMs = nowMs): Promise<void> {
    offset += 1n;
    const createdAt = Math.floor(atMs / 1000);
    await applyBatch(parts, {
      ...{ topic: 'test', partition: 0, position: 'any', nextOffset: offset },
      events: Array.from({ length: times }, (_each, n) => ({
        data: userEvent({ id: `${name}-${n}`, createdAt, receivedAt: atMs }),
      })),
    });
  }

  async function check(): Promise<number> {
    await addUpDays(queryable(api.pool), 1000);
    return pauseTasksOverRate(api.pool, logger);
  }

  async function issued(id: string): Promise<number> {
    const { rows } = await api.pool.query<{ count: number }>(
      `SELECT count(*) FROM engagement.awards WHERE task_id = $1 AND NOT reversed`,
      [id],
    );
    return rows[0].count;
  }
});
