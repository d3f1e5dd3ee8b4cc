import { createLog } from '@podium/runtime/log';
import { queryable } from '@podium/runtime/postgres';
import { userEvent } from '@podium/testing/user-event';
import { link } from '../../test/applied-tables';
import { DefinitionsApi, startDefinitionsApi } from '../../test/definitions-api';
import { applyBatch } from '../applying/apply-batch';
import { ApplyParts } from '../applying/apply-parts';
import { applyLinks } from '../link-view/apply-links';
import { LiveDefinitions } from '../progress/live-definitions';
import { continueTrial } from './run-trials';
import { listDryRuns, listPreviews } from './trials.store';

const dayS = 86_400;
const to = Math.floor(Date.now() / 1000 / dayS) * dayS;
const from = to - 10 * dayS;
const iso = (atS: number): string => new Date(atS * 1000).toISOString();
const dates = { from: iso(from), to: iso(to) };

const condition = { count: { event: 'deposit' }, window: { lifetime: true }, op: 'gte', value: 1 };
const segment = { platform: 'acme', name: 'Depositors', condition };
const task = {
  platform: 'acme',
  name: 'Deposits',
  goal: { count: { event: 'deposit' }, op: 'gte', value: 1 },
  repeat: { once: true },
  reward: { type: 'money', amount: '5', currency: 'EUR' },
  budget: { total: '10' },
};
const { platform: _, ...version } = task;
const place = { topic: 'test', partition: 0, position: 'any' } as const;

describe("the operators' API of previews and dry runs", () => {
  let api: DefinitionsApi;
  const logger = createLog({ service: 'test', instance: 'test', level: 'silent' });

  beforeAll(async () => {
    api = await startDefinitionsApi();
    const parts = new ApplyParts(api.pool, new LiveDefinitions(api.store));
    const users = ['ann', 'bob', 'cid'];
    await applyLinks(parts, {
      ...{ ...place, topic: 'links', nextOffset: 1n, erased: [] },
      links: users.map((user) => link(user, 'ready', 10)),
    });
    await applyBatch(parts, {
      ...{ ...place, nextOffset: 1n },
      events: users.map((userId, n) => ({
        data: userEvent({ id: userId, userId, createdAt: from + n * dayS, receivedAt: (from + n * dayS) * 1000 }),
      })),
    });
  });
  afterAll(() => api?.stop());

  const run = async (): Promise<void> => {
    while ((await continueTrial({ pool: api.pool, now: Date.now, logger }, 100)) > 0);
  };

  it('shows the size of a draft, with a sample and reasons', async () => {
    const id = await api.created('/segments', segment);
    const ordered = await api.call('POST', `/segments/${id}/previews`, {});
    expect(ordered).toMatchObject({
      status: 201,
      json: { segment_id: id, state: 'waiting', version: 1, users_total: null, finished_at: null, expires_at: null },
    });
    expect(await api.call('POST', `/segments/${id}/previews`, {})).toMatchObject({
      status: 409,
      json: { error: { code: 'conflict' } },
    });
    await run();
    const path = `/segments/${id}/previews/${String(ordered.json.preview_id)}`;
    const { json } = await api.call('GET', path, undefined, { 'organizer-1': 'viewer' });
    expect(json).toMatchObject({ state: 'finished', members: 3, users_done: 3, users_total: 3, capped_users: 0 });
    expect((json.sample as { user_id: string }[]).map(({ user_id }) => user_id)).toEqual(['ann', 'bob', 'cid']);
    expect(json.sample).toMatchObject([
      { comparisons: [{ value: '1', target: '1', counted: [{ id: 'ann' }] }] },
      {},
      {},
    ]);
    const listed = await api.call('GET', `/segments/${id}/previews`);
    expect(listed.json.items).toMatchObject([{ preview_id: ordered.json.preview_id, members: 3, sample: [] }]);
    expect((await api.call('GET', `${path}/capped`)).json).toEqual({ items: [], next_cursor: null });
  });

  it('counts with the total to which the budget was raised, where a version states the one that was', async () => {
    const id = await api.created('/tasks', task);
    await api.publish(`/tasks/${id}`);
    const raise = { total: '20' };
    expect(
      await api.call('POST', `/tasks/${id}/budget`, raise, { 'organizer-1': 'approver' }, 'operator-3'),
    ).toMatchObject({
      status: 200,
    });
    await api.call('POST', `/tasks/${id}/versions`, version);
    await api.call('POST', `/tasks/${id}/versions`, { ...version, budget: { total: '5' } });
    const found = async (number: number): Promise<Record<string, never>> => {
      const ordered = await api.call('POST', `/tasks/${id}/dry-runs`, { ...dates, version: number });
      await run();
      return (await api.call('GET', `/tasks/${id}/dry-runs/${String(ordered.json.dry_run_id)}`)).json;
    };
    const whole = { budget: raise, paid: '15', withheld: 0, budget_ended_on: null };
    expect(await found(2)).toMatchObject({ draft: whole, published: whole });
    expect(await found(3)).toMatchObject({
      draft: { budget: { total: '5' }, paid: '5', withheld: 2 },
      published: whole,
    });
  });

  it('shows what a draft would have awarded, day by day and one by one, and what publishing makes of it', async () => {
    const id = await api.created('/tasks', task);
    const ordered = await api.call('POST', `/tasks/${id}/dry-runs`, dates);
    expect(ordered.status).toBe(201);
    await run();
    const path = `/tasks/${id}/dry-runs/${String(ordered.json.dry_run_id)}`;
    const { json } = await api.call('GET', path);
    expect(json).toMatchObject({ state: 'finished', ...dates, published: null });
    expect(json.draft).toMatchObject({
      ...{ users: 3, awards: 3, awards_per_day: '0.30', unit: 'currency EUR', cost: '15', paid: '10', withheld: 1 },
      ...{ budget: { total: '10' }, budget_ended_on: iso(from + 2 * dayS).slice(0, 10), rewards_without_events: false },
    });
    const first = await api.call('GET', `${path}/awards?limit=2`);
    expect(first.json.items).toMatchObject([
      { user_id: 'ann', platform_user_id: 'sub-of-ann', occurrence: 'g1:once', reached_at: iso(from), withheld: null },
      { user_id: 'bob' },
    ]);
    const second = await api.call('GET', `${path}/awards?limit=2&cursor=${String(first.json.next_cursor)}`);
    expect(second.json).toMatchObject({ items: [{ user_id: 'cid', withheld: 'budget_total' }], next_cursor: null });
    const forged = (...key: unknown[]) => Buffer.from(JSON.stringify(key)).toString('base64url');
    for (const query of [
      `awards?cursor=${forged(from, 1, 2 ** 31)}`,
      `capped?cursor=${forged(1, 'deposit', -(2 ** 31) - 1)}`,
    ])
      expect((await api.call('GET', `${path}/${query}`)).json.error.code).toBe('invalid_request');
    const published = await api.publish(`/tasks/${id}`);
    expect(published.json).toMatchObject({ pauses_above: 10, max_per_day: null, paused_by_engine: null });

    const changed = { ...version, goal: { ...task.goal, value: 2 } };
    await api.call('POST', `/tasks/${id}/versions`, changed);
    expect((await api.publish(`/tasks/${id}`, { recount: true })).json.error.message).toContain(
      'needs a finished dry run',
    );
    const beside = await api.call('POST', `/tasks/${id}/dry-runs`, dates);
    await run();
    const both = await api.call('GET', `/tasks/${id}/dry-runs/${String(beside.json.dry_run_id)}`);
    expect(both.json).toMatchObject({ version: 2, draft: { awards: 0 }, published: { version: 1, awards: 3 } });
    const recounted = await api.publish(`/tasks/${id}`, { recount: true });
    expect(recounted.json).toMatchObject({ version: 2, generation: 2, recount: true });
    const audit = await api.call('GET', `/tasks/${id}/audit`);
    expect(audit.json.items[0]).toMatchObject({
      action: 'task.published',
      details: { recount: true, dry_run: beside.json.dry_run_id, max_per_day: 10 },
    });
  });

  it('lists trials as they are shown, without days and samples, and reads no segments for it', async () => {
    const segmentId = await api.created('/segments', segment);
    await api.publish(`/segments/${segmentId}`);
    const taskId = await api.created('/tasks', { ...task, eligible: segmentId });
    await api.publish(`/tasks/${taskId}`);
    await api.call('POST', `/tasks/${taskId}/versions`, { ...version, eligible: segmentId, budget: { total: '7' } });
    const previews: unknown[] = [];
    const dryRuns: unknown[] = [];
    for (let n = 0; n < 2; n++) {
      const preview = await api.call('POST', `/segments/${segmentId}/previews`, {});
      const dryRun = await api.call('POST', `/tasks/${taskId}/dry-runs`, dates);
      expect([preview.status, dryRun.status]).toEqual([201, 201]);
      await run();
      const shown = await api.call('GET', `/segments/${segmentId}/previews/${String(preview.json.preview_id)}`);
      const { json } = await api.call('GET', `/tasks/${taskId}/dry-runs/${String(dryRun.json.dry_run_id)}`);
      expect(json).toMatchObject({ draft: { budget: { total: '7' } }, published: { budget: { total: '10' } } });
      previews.unshift({ ...shown.json, sample: [] });
      const withoutDays = (side: object): object => ({ ...side, days: [] });
      dryRuns.unshift({ ...json, draft: withoutDays(json.draft), published: withoutDays(json.published) });
    }
    expect((await api.call('GET', `/segments/${segmentId}/previews`)).json.items).toEqual(previews);
    expect((await api.call('GET', `/tasks/${taskId}/dry-runs`)).json.items).toEqual(dryRuns);
    const db = queryable(api.pool);
    for (const each of await listPreviews(db, segmentId, 9)) expect(each).not.toHaveProperty('subject');
    for (const each of await listDryRuns(db, taskId, 9)) expect(each.subject).not.toHaveProperty('segments');
  });

  it('refuses dates that are ahead, turned round or older than the stored events, and unknown versions', async () => {
    const id = await api.created('/tasks', task);
    const order = async (body: object) => (await api.call('POST', `/tasks/${id}/dry-runs`, body)).json.error.message;
    expect(await order({ from: dates.from, to: iso(to + 2 * dayS) })).toContain('to: must not lie ahead');
    expect(await order({ from: dates.to, to: dates.from })).toContain('to: must lie after from');
    expect(await order({ from: iso(to - 300 * dayS), to: dates.to })).toContain('from: must not lie before');
    expect(await order({ ...dates, version: 9 })).toContain('version 9 does not exist');
    expect(await order({ from: 'yesterday', to: dates.to })).toContain('from: must be an ISO 8601 time');
  });

  it('takes dates that end now', async () => {
    const id = await api.created('/tasks', task);
    // Not at a full second, which is rounded neither up nor down.
    while (Date.now() % 1000 > 700 || Date.now() % 1000 < 100) await new Promise((done) => setTimeout(done, 50));
    const body = { from: dates.from, to: new Date().toISOString() };
    expect((await api.call('POST', `/tasks/${id}/dry-runs`, body)).status).toBe(201);
    await run();
  });

  it('lets viewers read, editors order and cancel, and shows others nothing', async () => {
    const id = await api.created('/segments', segment);
    const path = `/segments/${id}/previews`;
    expect((await api.call('POST', path, {}, { 'organizer-1': 'viewer' })).status).toBe(403);
    expect((await api.call('POST', path, {}, { 'organizer-2': 'admin' })).status).toBe(404);
    const { json } = await api.call('POST', path, {});
    const own = `${path}/${String(json.preview_id)}`;
    expect((await api.call('POST', `${own}/cancel`, {}, { 'organizer-1': 'viewer' })).status).toBe(403);
    expect((await api.call('POST', `${own}/cancel`, {})).json).toMatchObject({ state: 'cancelled' });
    expect((await api.call('POST', `${own}/cancel`, {})).json).toMatchObject({ state: 'cancelled' });
    const other = await api.created('/segments', segment);
    expect((await api.call('GET', `/segments/${other}/previews/${String(json.preview_id)}`)).status).toBe(404);
    expect((await api.call('GET', `/tasks/${id}/dry-runs/${String(json.preview_id)}`)).status).toBe(404);
  });
});
