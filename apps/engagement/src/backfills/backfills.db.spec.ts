import { userEvent } from '@podium/testing/user-event';
import { link } from '../../test/applied-tables';
import { Answer, DefinitionsApi, startDefinitionsApi } from '../../test/definitions-api';
import { applyBatch } from '../applying/apply-batch';
import { ApplyParts } from '../applying/apply-parts';
import { tellWaitingDefinitions } from '../definitions/tell-definitions';
import { DueUsers } from '../due/due-users';
import { settleDue } from '../due/settle-due';
import { sweepDefinitions } from '../due/sweep-definitions';
import { UsersAside } from '../due/users-aside';
import { applyLinks } from '../link-view/apply-links';
import { beginReplay } from '../operations/replay/begin-replay';
import { LiveDefinitions } from '../progress/live-definitions';
import { makeDue, readDueLag } from '../progress/due-times.store';
import { inTransaction, queryable } from '@podium/runtime/postgres';

const users = Array.from({ length: 30 }, (_, index) => `user-${String(index).padStart(2, '0')}`);
const nowS = Math.floor(Date.now() / 1000);
const count = { count: { event: 'deposit' }, window: { lifetime: true }, op: 'gte', value: 1 };
const segment = { platform: 'acme', name: 'Depositors', condition: count };
const { platform: _, ...version } = segment;
const place = { topic: 'test', partition: 0, position: 'any' } as const;

describe('backfills', () => {
  let api: DefinitionsApi;
  let parts: ApplyParts;
  let laterMs = 0;

  beforeAll(async () => {
    api = await startDefinitionsApi();
    parts = new ApplyParts(api.pool, new LiveDefinitions(api.store), () => Date.now() + laterMs);
    await applyLinks(parts, {
      ...{ ...place, topic: 'links', nextOffset: 1n, erased: [] },
      links: users.map((user, index) => link(user, 'ready', index + 1)),
    });
    await deposit('first', users.slice(0, 20));
  });
  afterAll(() => api?.stop());

  function deposit(name: string, userIds: readonly string[]): Promise<unknown> {
    const events = userIds.map((userId) => ({
      data: userEvent({ id: `${name}-${userId}`, userId, createdAt: nowS - 100, receivedAt: (nowS - 100) * 1000 }),
    }));
    return applyBatch(parts, { ...place, nextOffset: 1n, events });
  }

  const sweep = (users = 10): Promise<number> => sweepDefinitions(parts, users);
  const settle = async (limit = 100): Promise<number> => (await settleDue(parts, limit)).settled;
  const finish = async (): Promise<void> => {
    while ((await sweep()) + (await settle()) > 0);
  };
  const members = async (id: string): Promise<number> => {
    const { rows } = await api.pool.query<{ members: number }>(
      `SELECT count(*) AS members FROM engagement.memberships WHERE segment_id = $1 AND member`,
      [id],
    );
    return rows[0].members;
  };
  const published = async (): Promise<string> => {
    const id = await api.created('/segments', segment);
    expect((await api.publish(`/segments/${id}`)).status).toBe(200);
    return id;
  };
  const show = async (id: string): Promise<Answer['json']> => {
    const { status, json } = await api.call('GET', `/segments/${id}/backfill`, undefined, { 'organizer-1': 'viewer' });
    expect(status).toBe(200);
    return json;
  };
  const order = (id: string, verb: 'pause' | 'resume', role = 'editor'): Promise<Answer> =>
    api.call('POST', `/segments/${id}/backfill/${verb}`, undefined, { 'organizer-1': role }, 'operator-3');

  it('show how many users are evaluated, at which rate, and the time left', async () => {
    const id = await published();
    expect(await show(id)).toMatchObject({ definition_id: id, version: 1, state: 'waiting', users_done: 0 });
    await sweep();
    expect(await show(id)).toMatchObject({ state: 'running', users_total: 30, users_done: 0, seconds_left: null });
    await settle();
    const { users_per_second: rate, ...running } = await show(id);
    expect(running).toMatchObject({ state: 'running', users_total: 30, users_done: 10, finished_at: null });
    expect(running.seconds_left).toBe(Math.ceil(20 / Number(rate)));
    await finish();
    expect(await show(id)).toMatchObject({
      ...{ state: 'finished', users_total: 30, users_done: 30, seconds_left: null },
      finished_at: expect.any(String) as string,
    });
    expect(await members(id)).toBe(20);
  });

  it('stop while they are paused, and go on where they were', async () => {
    const id = await published();
    await sweep();
    await settle(5);
    expect(await members(id)).toBe(5);
    expect(await order(id, 'pause')).toMatchObject({
      status: 200,
      json: { state: 'paused', users_done: 5, paused_by: 'operator-3', seconds_left: null },
    });
    expect([await sweep(), await settle()]).toEqual([0, 0]);
    expect(await show(id)).toMatchObject({ state: 'paused', users_done: 5 });
    expect(await members(id)).toBe(5);
    expect(await readDueLag(queryable(api.pool), [id], nowS + 3_600)).toBe(0);
    // Only once for the audit trail.
    await order(id, 'pause');
    expect(await order(id, 'resume')).toMatchObject({ status: 200, json: { state: 'running', paused_at: null } });
    await order(id, 'resume');
    await finish();
    expect(await members(id)).toBe(20);
    const { json } = await api.call('GET', `/segments/${id}/audit`);
    expect(json.items.map(({ action, operator_id: by }) => [action, by]).slice(0, 2)).toEqual([
      ['segment.backfill_resumed', 'operator-3'],
      ['segment.backfill_paused', 'operator-3'],
    ]);
  });

  it('are paused and resumed while a batch of events runs', async () => {
    const id = await published();
    await sweep();
    await inTransaction(api.pool, async (batch) => {
      await api.store.readEpoch(batch);
      expect(await order(id, 'pause')).toMatchObject({ status: 200, json: { state: 'paused' } });
      expect(await order(id, 'resume')).toMatchObject({ status: 200, json: { state: 'running' } });
    });
    await finish();
  });

  it('do not evaluate users in a round that had found them before the pause', async () => {
    const id = await published();
    await sweep();
    const dueUsers = new DueUsers();
    await settleDue(parts, 1, new UsersAside(), dueUsers);
    expect(dueUsers.isEmpty).toBe(false);
    await order(id, 'pause');
    expect((await settleDue(parts, 100, new UsersAside(), dueUsers)).settled).toBe(0);
    expect(await members(id)).toBe(1);
    await order(id, 'resume');
    await finish();
  });

  it('of a segment end while one that refers to it is paused', async () => {
    const id = await published();
    await finish();
    const condition = { in_segment: id };
    const dependent = await api.created('/segments', { ...segment, condition });
    expect((await api.publish(`/segments/${dependent}`)).status).toBe(200);
    while ((await sweep(1)) > 0);
    await order(dependent, 'pause');
    await api.call('POST', `/segments/${id}/versions`, { ...version, condition: { ...count, value: 50 } });
    expect((await api.publish(`/segments/${id}`)).status).toBe(200);
    while ((await sweep(1)) + (await settle()) > 0);
    expect(await show(id)).toMatchObject({ version: 2, state: 'finished', users_done: 30 });
    expect(await show(dependent)).toMatchObject({ state: 'paused' });
    await order(dependent, 'resume');
    await finish();
  });

  it('leave those to events and time whom these concern, also while they are paused', async () => {
    const id = await published();
    await sweep();
    await order(id, 'pause');
    await deposit(`second-${id}`, [users[29]]);
    expect(await members(id)).toBe(1);
    await order(id, 'resume');
    await finish();
    expect(await members(id)).toBe(21);
  });

  it('do not hold back what time makes due while they are paused', async () => {
    const daily = { ...version, condition: { ...count, window: { rolling: 'P1D' } } };
    const id = await api.created('/segments', { ...segment, ...daily });
    await api.publish(`/segments/${id}`);
    await finish();
    await api.call('POST', `/segments/${id}/versions`, { ...daily, name: 'Daily' });
    await api.publish(`/segments/${id}`);
    while ((await sweep()) > 0);
    await order(id, 'pause');
    const { rows } = await api.pool.query<{ userRef: number }>(
      `SELECT user_ref AS "userRef" FROM engagement.memberships WHERE segment_id = $1 LIMIT 1`,
      [id],
    );
    await makeDue(queryable(api.pool), [{ userRef: rows[0].userRef, definitionId: id }], nowS - 5);
    expect([await settle(), await settle()]).toEqual([1, 0]);
    expect(await members(id)).toBe(21);
    laterMs = 2 * 86_400_000;
    try {
      expect(await readDueLag(queryable(api.pool), [id], nowS + 2 * 86_400)).toBeGreaterThan(86_400);
      await settle();
    } finally {
      laterMs = 0;
    }
    expect(await members(id)).toBe(0);
    expect(await show(id)).toMatchObject({ version: 2, state: 'paused', users_done: 21 });
    await order(id, 'resume');
    await finish();
  });

  it('of a further version begin unpaused, and the version before decides until it is in force', async () => {
    const id = await published();
    await finish();
    const before = await members(id);
    await api.call('POST', `/segments/${id}/versions`, { ...version, condition: { ...count, value: 50 } });
    await api.publish(`/segments/${id}`);
    await sweep();
    await order(id, 'pause');
    expect(await show(id)).toMatchObject({ version: 2, state: 'paused' });
    expect(await members(id)).toBe(before);
    await api.call('POST', `/segments/${id}/versions`, { ...version, condition: { ...count, value: 60 } });
    const later = new Date(Math.ceil(Date.now() / 3_600_000 + 2) * 3_600_000).toISOString();
    expect((await api.publish(`/segments/${id}`, { in_force_from: later })).status).toBe(200);
    expect(await show(id)).toMatchObject({ version: 3, state: 'waiting', paused_at: null });
    await finish();
    expect(await show(id)).toMatchObject({ state: 'finished' });
    expect(await members(id)).toBe(before);
  });

  it('stay finished while another one makes their users due again', async () => {
    const id = await published();
    const dependent = await api.created('/segments', { ...segment, condition: { in_segment: id } });
    await api.publish(`/segments/${dependent}`);
    await finish();
    await api.call('POST', `/segments/${id}/versions`, { ...version, condition: { ...count, value: 50 } });
    await api.publish(`/segments/${id}`);
    laterMs = 5_000;
    try {
      while ((await sweep()) > 0);
    } finally {
      laterMs = 0;
    }
    expect(await show(dependent)).toMatchObject({ state: 'finished', users_done: 30 });
    laterMs = 5_000;
    await finish();
    laterMs = 0;
  });

  it('show a pause that is left when events have evaluated all users', async () => {
    const id = await published();
    while ((await sweep()) > 0);
    await order(id, 'pause');
    await deposit(`all-${id}`, users);
    expect(await show(id)).toMatchObject({ state: 'paused', users_done: 30, finished_at: null });
    expect(await order(id, 'resume')).toMatchObject({ json: { state: 'finished', paused_at: null } });
  });

  it('of a definition that has ended can be seen and paused while the engine evaluates it', async () => {
    const id = await published();
    await finish();
    expect((await api.call('POST', `/segments/${id}/end`)).status).toBe(200);
    expect(await show(id)).toMatchObject({ version: 1, state: 'waiting' });
    await sweep();
    expect(await order(id, 'pause')).toMatchObject({ status: 200, json: { state: 'paused', users_total: 30 } });
    expect(await order(id, 'resume')).toMatchObject({ status: 200, json: { state: 'running' } });
    await finish();
    expect(await show(id)).toMatchObject({ state: 'finished', users_done: 30 });
    await api.pool.query(
      `UPDATE engagement.definitions SET ended_at = now() - interval '57 days' WHERE definition_id = $1`,
      [id],
    );
    const forgotten = /has ended, and it is not evaluated any more/;
    expect(await order(id, 'pause')).toMatchObject(refusal(forgotten));
    expect(await api.call('GET', `/segments/${id}/backfill`)).toMatchObject(refusal(forgotten));
  });

  it('are no longer paused after a rebuild, which the audit trail and the topic say', async () => {
    const id = await published();
    await order(id, 'pause');
    const from = new Map<number, bigint>();
    await inTransaction(api.pool, (tx) =>
      beginReplay(tx, { kind: 'rebuild', topic: 'test', orderedBy: 'ada', from }, () => Promise.resolve()),
    );
    await api.pool.query('UPDATE engagement.replays SET finished_at = now()');
    expect(await show(id)).toMatchObject({ state: 'waiting', paused_at: null });
    const { json } = await api.call('GET', `/segments/${id}/audit`);
    expect(json.items[0]).toMatchObject({
      ...{ action: 'segment.backfill_resumed', operator_id: 'ada', details: { version: 1, by: 'rebuild' } },
    });
    const told = 'SELECT FROM engagement.told_definitions WHERE definition_id = $1 AND is_told';
    expect((await api.pool.query(told, [id])).rowCount).toBe(0);
    while ((await tellWaitingDefinitions(api.pool, 10)) > 0);
    expect((await api.pool.query(told, [id])).rowCount).toBe(1);
  });

  it('of a definition that the engine leaves out wait, and the answer says why they cannot be paused', async () => {
    const id = await published();
    await api.pool.query('ALTER TABLE engagement.definitions DISABLE TRIGGER keep_published_definition');
    const unreadable = { condition: { ...count, window: { rolling: 'P1Y' } } };
    await api.pool.query(`UPDATE engagement.definitions SET body = $2 WHERE definition_id = $1`, [id, unreadable]);
    await api.pool.query('ALTER TABLE engagement.definitions ENABLE TRIGGER keep_published_definition');
    const leftOut = refusal(/The engine cannot evaluate this segment and leaves it out/);
    expect(await order(id, 'pause')).toMatchObject(leftOut);
    expect(await order(id, 'resume')).toMatchObject(leftOut);
    expect(await show(id)).toMatchObject({ state: 'waiting' });
    expect((await api.call('POST', `/segments/${id}/end`)).status).toBe(200);
  });

  it('are refused without the role, without a published version, and when nothing is left to pause', async () => {
    const id = await published();
    for (const role of ['viewer', 'approver']) expect(await order(id, 'pause', role)).toMatchObject({ status: 403 });
    await finish();
    expect(await order(id, 'pause')).toMatchObject({ status: 409, json: { error: { code: 'conflict' } } });
    const draft = await api.created('/segments', segment);
    expect(await order(draft, 'pause')).toMatchObject({ status: 409 });
    expect((await api.call('GET', `/segments/${draft}/backfill`)).status).toBe(409);
    expect((await api.call('GET', `/tasks/${id}/backfill`)).status).toBe(404);
  });
});

function refusal(message: RegExp): object {
  return { status: 409, json: { error: { code: 'conflict', message: expect.stringMatching(message) as string } } };
}
