import { SegmentMembershipData, topics } from '@podium/messages';
import { userEvent } from '@podium/testing/user-event';
import { link } from '../../test/applied-tables';
import { DefinitionsApi, startDefinitionsApi } from '../../test/definitions-api';
import { applyBatch } from '../applying/apply-batch';
import { ApplyParts } from '../applying/apply-parts';
import { settleDue } from '../due/settle-due';
import { sweepDefinitions } from '../due/sweep-definitions';
import { applyLinks } from '../link-view/apply-links';
import { leaveEnded } from '../memberships/leave-ended';
import { LiveDefinitions } from '../progress/live-definitions';

const segment = {
  platform: 'acme',
  name: 'Depositors',
  condition: { count: { event: 'deposit' }, window: { lifetime: true }, op: 'gte', value: 1 },
};
const users = ['user-1', 'user-2', 'user-3'];

describe('a segment that ends while it is paused', () => {
  let api: DefinitionsApi;
  let parts: ApplyParts;
  let nowMs = Date.now() + 1000;

  beforeAll(async () => {
    api = await startDefinitionsApi();
    parts = new ApplyParts(api.pool, new LiveDefinitions(api.store), () => nowMs);
    await storeLinks(users.map((user) => link(user, 'ready', 10)));
  });
  afterAll(() => api?.stop());

  it('tells of no joins that the pause held back, of unlinks, and of leaving at the end', async () => {
    const id = await api.created('/segments', segment);
    await api.publish(`/segments/${id}`);
    await deposit('user-1', 'user-2');
    await settleAll();
    expect(await told()).toEqual(['user-1 joined', 'user-2 joined']);

    expect((await api.call('POST', `/segments/${id}/pause`)).status).toBe(200);
    await deposit('user-3');
    const { json } = await api.call('POST', `/segments/${id}/end`);
    await settleAll();
    await storeLinks([link('user-2', 'unlinked', 20)]);
    await settleAll();
    expect(await told()).toEqual(['user-1 joined', 'user-2 joined', 'user-2 left']);
    const backfill = await api.call('GET', `/segments/${id}/backfill`);
    expect(backfill.json).toMatchObject({ state: 'finished', users_done: 3 });

    nowMs = Date.parse(json.ended_at) + 1000;
    await settleAll();
    expect(await leaveEnded(parts, 10)).toBe(1);
    expect(await told()).toEqual(['user-1 joined', 'user-2 joined', 'user-2 left', 'user-1 left']);
  });

  async function deposit(...userIds: string[]): Promise<void> {
    const times = { createdAt: Math.floor(nowMs / 1000), receivedAt: nowMs };
    await applyBatch(parts, {
      ...{ topic: 'test', partition: 0, position: 'any', nextOffset: 1n },
      events: userIds.map((userId) => ({ data: userEvent({ id: `deposit-${userId}`, userId, ...times }) })),
    });
  }

  async function storeLinks(links: ReturnType<typeof link>[]): Promise<void> {
    await applyLinks(parts, { topic: 'links', partition: 0, position: 'any', nextOffset: 1n, erased: [], links });
  }

  async function settleAll(): Promise<void> {
    while ((await sweepDefinitions(parts, 100)) > 0);
    while ((await settleDue(parts, 100)).settled > 0);
  }

  async function told(): Promise<string[]> {
    const { rows } = await api.pool.query<{ data: string }>(
      'SELECT data FROM engagement.outbox WHERE topic = $1 ORDER BY id',
      [topics.memberships.name],
    );
    return rows.map(({ data }) => {
      const { user_id: userId, member } = JSON.parse(data) as SegmentMembershipData;
      return `${userId} ${member ? 'joined' : 'left'}`;
    });
  }
});
