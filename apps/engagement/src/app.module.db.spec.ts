import { userEvent } from '@podium/testing/user-event';
import { OperatorsApi, startOperatorsApi } from '../test/operators-api';
import { applyBatch } from './applying/apply-batch';

const taskId = '00000000-0000-4000-8000-000000000001';
const viewer = { operatorId: 'op', roles: { '*': 'viewer' } };

describe('engagement over HTTP', () => {
  let api: OperatorsApi;

  beforeAll(async () => {
    api = await startOperatorsApi();
  });
  afterAll(() => api?.stop());

  it('awards a task from its publication on, and shows the award', async () => {
    const nowS = Math.floor(Date.now() / 1000);
    const deposit = (id: string, nextOffset: bigint, createdAt: number) =>
      applyBatch(api.parts, {
        topic: 't',
        partition: 0,
        position: 'any',
        nextOffset,
        events: [{ data: userEvent({ id, createdAt, receivedAt: Date.now() }) }],
      });
    expect((await deposit('before', 1n, nowS - 10)).awards).toHaveLength(0);
    await publishTask();
    // It happened before, whenever it is received.
    expect((await deposit('late', 2n, nowS - 5)).awards).toHaveLength(0);
    expect((await deposit('after', 3n, Math.floor(Date.now() / 1000))).awards).toHaveLength(1);

    const awards = await get('/admin/v1/awards?platform=acme&user_id=user-1');
    expect(awards).toMatchObject({
      status: 200,
      body: {
        items: [
          {
            task_id: taskId,
            occurrence: 'g1:every:3',
            reward: { type: 'points', amount: '5' },
            reached_at: expect.any(String) as string,
            entries: [{ seq: 1, kind: 'issued' }],
          },
        ],
        next_cursor: null,
      },
    });
    expect(await get('/admin/v1/users/acme/user-1')).toMatchObject({
      status: 200,
      body: { link: null, awards: 1, stored_events: [{ name: 'deposit', stored: 3 }] },
    });
  });

  it.each([
    ['/admin/v1/awards?limit=0', 400],
    ['/admin/v1/awards?task_id=1', 400],
    ['/admin/v1/awards?user_id=%00', 400],
    ['/admin/v1/awards?cursor=broken', 400],
    ['/admin/v1/users/acme/nobody', 404],
    ['/admin/v1/users/acme/%00', 404],
  ])('answers %s with %i in the common error format', async (path, status) => {
    expect(await get(path)).toMatchObject({ status, body: { error: { code: expect.any(String) } } });
  });

  it.each(['/admin/v1/awards', '/admin/v1/users/acme/user-1'])(
    'refuses a request to %s that bypasses the gateway',
    async (url) => {
      expect((await api.app.inject({ method: 'GET', url })).statusCode).toBe(401);
    },
  );

  async function get(path: string): Promise<{ status: number; body: unknown }> {
    const { status, text } = await api.call(viewer, 'GET', path);
    return { status, body: JSON.parse(text) as unknown };
  }

  async function publishTask(): Promise<void> {
    const body = {
      goal: { count: { event: 'deposit' }, window: { lifetime: true }, op: 'gte', value: 1 },
      repeat: { every: 1 },
      reward: { type: 'points', amount: '5' },
    };
    await api.pool.query(
      `INSERT INTO engagement.definitions (definition_id, version, generation, kind, platform, organizer_id, name, body,
         attribute_types, state, created_by, created_at, published_at, counts_from)
       VALUES ($1, 1, 1, 'task', 'acme', 'organizer-1', 'each deposit', $2, '{}', 'published', 'op', now(), now(), now())`,
      [taskId, body],
    );
    await api.pool.query('UPDATE engagement.definition_epoch SET epoch = epoch + 1');
  }
});
