import { inTransaction } from '@podium/runtime/postgres';
import { AwardTables } from '../../test/award-tables';
import { Answer, DefinitionsApi, startDefinitionsApi } from '../../test/definitions-api';
import { every, findingOf, owedAgo } from '../../test/task-findings';
import { TaskDefinition } from '../evaluation/definition';
import { LockedUser } from '../users/users.store';

const body = {
  platform: 'acme',
  name: 'Every deposit',
  goal: { count: { event: 'deposit' }, window: { lifetime: true }, op: 'gte', value: 1 },
  repeat: { every: '1' },
  max_per_user: 5_000,
  max_per_event: 2,
  reward: { type: 'points', amount: '1' },
  claw_back: 'before_confirm',
};

/** Who published the version is `operator-2`. */
const approver = { 'organizer-1': 'approver' };

interface ListedRow {
  readonly id: number;
  readonly status: string;
  readonly noted_at: string;
}

describe("the operators' API of approvals", () => {
  let api: DefinitionsApi;
  let tables: AwardTables;
  let ann: LockedUser;
  let bob: LockedUser;

  beforeAll(async () => {
    api = await startDefinitionsApi();
    tables = AwardTables.over(api.pool);
  });
  afterAll(() => api?.stop());
  beforeEach(async () => {
    await tables.clear();
    [ann, bob] = await tables.users('ann', 'bob');
  });

  it('lists what is not issued by page, status and user', async () => {
    const task = await published();
    await settle(task, ann, 1, 5);
    await settle(task, bob, 1, 4, 'account-2');
    const path = `/tasks/${task.definitionId}/unissued`;
    const first = await call('GET', `${path}?limit=1`);
    expect(first.json.items).toEqual([
      {
        id: expect.any(Number) as number,
        user_id: 'ann',
        platform_user_id: 'account-1',
        first_occurrence: 'g1:every:3',
        last_occurrence: 'g1:every:5',
        occurrences: 3,
        status: 'held_by_limit',
        reason: null,
        task_version: 1,
        reward: { type: 'points', amount: '1' },
        reached_at: '2026-11-20T11:59:30.000Z',
        noted_at: expect.any(String) as string,
      },
    ]);
    const cursor = first.json.next_cursor as unknown as string;
    const second = await call('GET', `${path}?limit=1&cursor=${cursor}`);
    expect(second.json).toMatchObject({ items: [{ user_id: 'bob', occurrences: 2 }], next_cursor: null });
    expect((await call('GET', `${path}?user_id=bob`)).json.items).toHaveLength(1);
    expect((await call('GET', `${path}?status=withheld`)).json.items).toEqual([]);
    expect((await call('GET', `${path}?status=lost`)).status).toBe(400);
  });

  it('pays ranges with ledger and records, as far as the budget allows, in the order in which they were reached', async () => {
    const task = await published({ budget: { total: '7' } });
    await settle(task, ann, 1, 5, 'account-1', 30);
    await settle(task, bob, 1, 4, 'account-2', 60);
    const ids = await idsOf(task);
    const paid = await act(task, 'pay', ids);
    // Four were issued before; bob's two were reached first.
    expect(paid.json.items).toEqual([
      { id: ids[0], issued: 1, left: 2, reason: 'budget_total' },
      { id: ids[1], issued: 2, left: 0, reason: null },
    ]);
    expect(await tables.unissued()).toEqual(['ann withheld budget_total g1:every 4-5']);
    expect((await tables.ledgers()).filter((text) => text.endsWith(': issued'))).toHaveLength(7);
    expect(await tables.published()).toHaveLength(7);
    expect(await tables.left()).toBe(0);

    expect((await act(task, 'pay', await idsOf(task))).json.items).toMatchObject([
      { issued: 0, left: 2, reason: 'budget_total' },
    ]);
    expect((await raise(task, '8')).json).toMatchObject({ total: '8', left: '1' });
    expect(await tables.unissued()).toEqual(['ann withheld budget_total g1:every 4-5']);
    expect((await act(task, 'pay', await idsOf(task))).json.items).toMatchObject([{ issued: 1, left: 1 }]);
    expect(await tables.unissued()).toEqual(['ann withheld budget_total g1:every 5-5']);
    expect(await settle(task, ann, 1, 5)).toBe(0);
  });

  it('pays at most 1,000 occurrences in a request', async () => {
    const task = await published();
    await settle(task, ann, 1, 1_502);
    const [id] = await idsOf(task);
    expect((await act(task, 'pay', [id])).json.items).toEqual([
      { id, issued: 1_000, left: 500, reason: 'request_limit' },
    ]);
    expect(await tables.unissued()).toEqual(['ann held_by_limit g1:every 1003-1502']);
    expect((await act(task, 'pay', [id])).json.items).toEqual([{ id, issued: 0, left: 0, reason: 'unknown' }]);
    expect((await act(task, 'pay', await idsOf(task))).json.items).toMatchObject([{ issued: 500, left: 0 }]);
    expect(await settle(task, ann, 1, 1_502)).toBe(0);
  });

  it('decides only what was listed: a row whose reward or occurrences have changed has another id', async () => {
    const task = await published();
    await settle(task, ann, 1, 5);
    const [listed] = await listOf(task);
    await settle(task, ann, 1, 5);
    expect(await listOf(task)).toEqual([listed]);

    const reward = { type: 'points' as const, amount: '500' };
    await tables.settle([findingOf(task, [owedAgo(30, every(1, 5), { reward })], { user: ann })]);
    const [dearer] = await listOf(task);
    expect(dearer).toMatchObject({ reward, noted_at: listed.noted_at });
    for (const verb of ['pay', 'refuse'])
      expect((await act(task, verb, [listed.id])).json.items).toMatchObject([{ reason: 'unknown' }]);

    await tables.settle([findingOf(task, [owedAgo(30, every(1, 9), { reward })], { user: ann })]);
    const [longer] = await listOf(task);
    expect(longer).toMatchObject({ occurrences: 7, noted_at: listed.noted_at });
    expect((await act(task, 'pay', [dearer.id])).json.items).toMatchObject([{ issued: 0, reason: 'unknown' }]);
    expect((await act(task, 'pay', [longer.id])).json.items).toMatchObject([{ issued: 7, left: 0 }]);
    const audit = await call('GET', `/tasks/${task.definitionId}/audit?limit=1`);
    const row = { first_occurrence: 'g1:every:3', last_occurrence: 'g1:every:9', reward, issued: 7 };
    expect(audit.json.items).toMatchObject([{ details: { rows: [row] } }]);
  });

  it('takes from the awards of a day only reversed ones that were counted', async () => {
    const task = await published({ max_per_day: 1_000 });
    await settle(task, ann, 1, 5);
    await act(task, 'pay', await idsOf(task));
    expect(await countedOf(task)).toBe(2);
    expect((await tables.settle([findingOf(task, [], { user: ann })])).reversed).toHaveLength(5);
    expect(await countedOf(task)).toBe(0);

    const [version] = task.versions;
    const before = { ...task, versions: [{ ...version, maxPerDay: undefined }] };
    await settle(before, bob, 1, 2, 'account-2');
    await tables.settle([findingOf(task, [], { user: bob })]);
    expect(await countedOf(task)).toBe(0);
  });

  it('pays no occurrence to an account that another user was paid for', async () => {
    const task = await published();
    // Bob's first two, 3 and 4, are issued to the account that ann's 3 and 4 would be paid to.
    await settle(task, ann, 1, 4);
    await settle(task, bob, 3, 6);
    const [annId, bobId] = await idsOf(task);
    expect((await act(task, 'pay', [annId, bobId])).json.items).toMatchObject([
      { issued: 0, left: 2, reason: 'blocked' },
      { issued: 2, left: 0 },
    ]);
    expect(await tables.unissued()).toEqual(['ann blocked g1:every 3-4']);
    const { rows: due } = await api.pool.query('SELECT user_ref FROM engagement.due_times WHERE definition_id = $1', [
      task.definitionId,
    ]);
    expect(due).toEqual([{ user_ref: ann.userRef }]);
  });

  it('pays an account to the user who reached it first', async () => {
    const task = await published();
    const own = { account: 'account-2' };
    await tables.settle([
      findingOf(task, [owedAgo(30, every(1, 2)), owedAgo(30, every(9), own)], { user: ann }),
      findingOf(task, [owedAgo(40, every(3, 4)), owedAgo(40, every(9), own)], { user: bob }),
    ]);
    expect((await act(task, 'pay', await idsOf(task))).json.items).toMatchObject([
      { issued: 0, left: 1, reason: 'blocked' },
      { issued: 1, left: 0, reason: null },
    ]);
  });

  it('issues an award that was reversed under a new number', async () => {
    const task = await published();
    await settle(task, ann, 3, 4);
    await settle(task, ann, 1, 2);
    expect(await tables.ledgers()).toContain('ann g1:every:3: issued reversed');
    await settle(task, ann, 1, 4);
    expect(await tables.unissued()).toEqual(['ann held_by_limit g1:every 3-4']);
    expect((await act(task, 'pay', await idsOf(task))).json.items).toMatchObject([{ issued: 2, left: 0 }]);
    expect(await tables.ledgers()).toContain('ann g1:every:3: issued reversed issued');
  });

  it('refuses rows for good, and pays none of a paused task', async () => {
    const task = await published();
    await settle(task, ann, 1, 5);
    await settle(task, bob, 1, 4, 'account-2');
    const [annId, bobId] = await idsOf(task);
    expect((await act(task, 'refuse', [annId, 999_999_999], 'fraud')).json.items).toEqual([
      { id: annId, refused: 3, reason: null },
      { id: 999_999_999, refused: 0, reason: 'unknown' },
    ]);
    await settle(task, ann, 1, 5);
    expect((await act(task, 'pay', [annId])).json.items).toEqual([
      { id: annId, issued: 0, left: 3, reason: 'refused' },
    ]);
    expect((await act(task, 'refuse', [annId])).json.items).toMatchObject([{ refused: 0, reason: 'refused' }]);
    await api.call('POST', `/tasks/${task.definitionId}/pause`);
    const message = 'The task is paused and issues nothing. Resume it first.';
    expect(await act(task, 'pay', [bobId])).toMatchObject({
      status: 409,
      json: { error: { code: 'conflict', message } },
    });
    expect(await tables.unissued()).toEqual(['ann refused g1:every 3-5', 'bob held_by_limit g1:every 3-4']);
  });

  it('pays of a task that ended while it was paused what waited for an approver, and nothing that the pause held', async () => {
    const task = await published({ budget: { total: '2' } });
    await settle(task, ann, 1, 5);
    await settle(task, bob, 1, 2, 'account-2');
    await api.call('POST', `/tasks/${task.definitionId}/pause`);
    await settle({ ...task, paused: true }, ann, 1, 6);
    await api.call('POST', `/tasks/${task.definitionId}/end`);
    expect(await tables.unissued()).toEqual([
      'ann held_by_limit g1:every 3-5',
      'ann held_by_pause g1:every 6-6',
      'bob withheld budget_total g1:every 1-2',
    ]);
    expect((await raise(task, '10')).status).toBe(200);
    const rows = await listOf(task);
    const idOf = (status: string): number => rows.find((row) => row.status === status)!.id;
    const [limit, pause, budget] = ['held_by_limit', 'held_by_pause', 'withheld'].map(idOf);
    expect(await act(task, 'pay', [limit, pause, budget])).toMatchObject({
      status: 200,
      json: {
        items: [
          { id: limit, issued: 3, left: 0, reason: null },
          { id: pause, issued: 0, left: 1, reason: 'ended_while_paused' },
          { id: budget, issued: 2, left: 0, reason: null },
        ],
      },
    });
    expect(await tables.unissued()).toEqual(['ann held_by_pause g1:every 6-6']);
    expect(await tables.left()).toBe(3);
    expect((await act(task, 'refuse', [pause])).json.items).toEqual([{ id: pause, refused: 1, reason: null }]);
  });

  it('issues each occurrence once and no unit too many beside evaluations and other payments', async () => {
    const task = await published({ budget: { total: '11' } });
    for (let round = 0; round < 5; round++) {
      await tables.clear();
      [ann, bob] = await tables.users('ann', 'bob');
      await settle(task, ann, 1, 8);
      await settle(task, bob, 1, 8, 'account-2');
      const ids = await idsOf(task);
      await Promise.all([
        ...[1, 2, 3].map(() => act(task, 'pay', ids)),
        settle(task, ann, 1, 6),
        settle(task, bob, 1, 8, 'account-2'),
      ]);
      await settle(task, ann, 1, 6);
      // A row that an evaluation has changed meanwhile has another id.
      await act(task, 'pay', await idsOf(task));
      const issued = (await tables.ledgers()).filter((text) => text.endsWith(': issued')).length;
      const { rows } = await api.pool.query<{ reversed: number }>(
        'SELECT count(*)::int AS reversed FROM engagement.awards WHERE reversed',
      );
      expect(issued + rows[0].reversed).toBe(11);
      expect(await tables.left()).toBe(0);
    }
  });

  it('raises a total budget, and never lowers it', async () => {
    const task = await published({ budget: { total: '10' } });
    expect(await raise(task, '9.5')).toMatchObject({ status: 422, json: { error: { code: 'unprocessable' } } });
    expect((await raise(task, '1e1')).json).toEqual({ task_id: task.definitionId, total: '10', left: '10' });
    expect((await raise(task, '12.5')).json).toMatchObject({ total: '12.5', left: '12.5' });
    for (const total of ['0', '-1', 'x', '1e30']) expect((await raise(task, total)).status).toBe(400);
    // Also for its publisher, who else is told that somebody else must raise it.
    for (const operator of ['operator-3', 'operator-2'])
      expect(await raise(await published(), '5', operator)).toMatchObject({
        ...{ status: 409, json: { error: { message: expect.stringContaining('no total budget') as string } } },
      });
    const audit = (await call('GET', `/tasks/${task.definitionId}/audit`)).json.items;
    expect(audit.filter(({ action }) => (action as string) === 'task.budget_raised')).toMatchObject([
      { operator_id: 'operator-3', details: { from: '10', to: '12.5' } },
    ]);
  });

  it('shows the audit trail of a definition, newest first', async () => {
    const task = await published();
    await settle(task, ann, 1, 3);
    const ids = await idsOf(task);
    await act(task, 'pay', ids, 'checked');
    const path = `/tasks/${task.definitionId}/audit`;
    const first = await call('GET', `${path}?limit=2`);
    expect(first.json.items).toMatchObject([
      {
        action: 'task.unissued_paid',
        operator_id: 'operator-3',
        details: { reason: 'checked', rows: [{ id: ids[0], issued: 1, left: 0 }] },
      },
      { action: 'task.published', operator_id: 'operator-2' },
    ]);
    const rest = await call('GET', `${path}?cursor=${first.json.next_cursor as unknown as string}`);
    expect(rest.json).toMatchObject({ items: [{ action: 'task.created' }], next_cursor: null });
    expect((await call('GET', `/segments/${task.definitionId}/audit`)).status).toBe(404);
  });

  it.each<['GET' | 'POST', string, object | undefined]>([
    ['GET', 'unissued', undefined],
    ['GET', 'audit', undefined],
    ['POST', 'unissued/pay', { ids: [1] }],
    ['POST', 'unissued/refuse', { ids: [1] }],
    ['POST', 'budget', { total: '100' }],
  ])('%s tasks/:id/%s is for its organizer, the role, and not the publisher', async (method, path, given) => {
    const task = await published({ budget: { total: '2' } });
    await settle(task, ann, 1, 5);
    const [id] = await idsOf(task);
    const request = given && 'ids' in given ? { ids: [id] } : given;
    const status = async (roles: object, operatorId = 'operator-3', taskId = task.definitionId): Promise<number> =>
      (await api.call(method, `/tasks/${taskId}/${path}`, request, roles, operatorId)).status;
    const isRead = method === 'GET';
    expect(await status({ 'organizer-2': ['admin', 'approver'] })).toBe(404);
    expect(await status(approver, 'operator-3', '00000000-0000-4000-8000-000000000000')).toBe(404);
    expect(await status({ 'organizer-1': 'admin' })).toBe(isRead ? 200 : 403);
    expect(await status(approver, 'operator-2')).toBe(isRead ? 200 : 403);
    expect(await idsOf(task)).toEqual([id]);
    expect(await status(approver)).toBe(200);
  });

  it('knows no rows of other tasks', async () => {
    const [task, other] = [await published(), await published()];
    await settle(task, ann, 1, 5);
    const [id] = await idsOf(task);
    expect((await act(other, 'pay', [id])).json.items).toEqual([{ id, issued: 0, left: 0, reason: 'unknown' }]);
    expect((await act(other, 'refuse', [id])).json.items).toMatchObject([{ reason: 'unknown' }]);
    expect(await tables.unissued()).toEqual(['ann held_by_limit g1:every 3-5']);
  });

  it.each([[{}], [{ ids: [] }], [{ ids: [1, 1] }], [{ ids: [0] }], [{ ids: ['1'] }], [{ ids: [1.5] }]])(
    'answers the payment %j with 400',
    async (given) => {
      const task = await published();
      const path = `/tasks/${task.definitionId}/unissued/pay`;
      expect((await api.call('POST', path, given, approver, 'operator-3')).status).toBe(400);
    },
  );

  /** As a viewer. */
  function call(method: 'GET', path: string): Promise<Answer> {
    return api.call(method, path, undefined, { 'organizer-1': 'viewer' });
  }

  function act({ definitionId }: TaskDefinition, verb: string, ids: number[], reason?: string): Promise<Answer> {
    return api.call('POST', `/tasks/${definitionId}/unissued/${verb}`, { ids, reason }, approver, 'operator-3');
  }

  function raise({ definitionId }: TaskDefinition, total: string, operator = 'operator-3'): Promise<Answer> {
    return api.call('POST', `/tasks/${definitionId}/budget`, { total }, approver, operator);
  }

  async function idsOf(task: TaskDefinition): Promise<number[]> {
    return (await listOf(task)).map(({ id }) => id);
  }

  async function listOf({ definitionId }: TaskDefinition): Promise<ListedRow[]> {
    const { items } = (await call('GET', `/tasks/${definitionId}/unissued`)).json;
    return items as unknown as ListedRow[];
  }

  /** What awards have added to the counts of their days. */
  async function countedOf({ definitionId }: TaskDefinition): Promise<number> {
    const { rows } = await api.pool.query<{ awards: number }>(
      'SELECT coalesce(sum(awards), 0) AS awards FROM engagement.task_day_changes WHERE task_id = $1',
      [definitionId],
    );
    return rows[0].awards;
  }

  async function published(changes: object = {}): Promise<TaskDefinition> {
    const id = await api.created('/tasks', { ...body, ...changes });
    const { status } = await api.publish(`/tasks/${id}`);
    expect(status).toBe(200);
    const { definitions: all } = await inTransaction(api.pool, (tx) => api.store.loadPublished(tx));
    return all.find(({ definitionId }) => definitionId === id) as TaskDefinition;
  }

  /** Evaluates a user who has reached a range of occurrences at once; returns the number of issued awards. */
  async function settle(
    task: TaskDefinition,
    user: LockedUser,
    first: number,
    last: number,
    account = 'account-1',
    secondsAgo = 30,
  ): Promise<number> {
    const finding = findingOf(task, [owedAgo(secondsAgo, every(first, last), { account })], { user });
    return (await tables.settle([finding])).issued.length;
  }
});
