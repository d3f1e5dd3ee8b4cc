import { inTransaction } from '@podium/runtime/postgres';
import { AwardTables } from '../../test/award-tables';
import { Answer, DefinitionsApi, startDefinitionsApi } from '../../test/definitions-api';
import { every, findingOf, owedAgo } from '../../test/task-findings';
import { utcDay } from '../budgets/reserve-units';
import { TaskDefinition } from '../evaluation/definition';
import { LockedUser } from '../users/users.store';

const stated = {
  ...{ name: 'Each deposit', repeat: { every: '1' }, max_per_user: 100, claw_back: 'always' },
  goal: { count: { event: 'deposit' }, window: { lifetime: true }, op: 'gte', value: 1 },
  reward: { type: 'money', amount: '0.50', currency: 'EUR' },
};
const half = { type: 'money', amount: '0.50', currency: 'EUR' };

describe('the budget of a task', () => {
  let api: DefinitionsApi;
  let tables: AwardTables;
  let ann: LockedUser;

  beforeAll(async () => {
    api = await startDefinitionsApi();
    tables = AwardTables.over(api.pool);
  });
  afterAll(() => api?.stop());
  beforeEach(async () => {
    await tables.clear();
    [ann] = await tables.users('ann');
  });

  it('is shown as a whole before the first award', async () => {
    const id = await publish({ total: '1e1', per_day: '4' });
    expect(await shown(id)).toEqual({
      ...{ task_id: id, version: 1, unit: 'currency EUR' },
      total: { stated: '10', limit: '10', spent: '0', left: '10' },
      per_day: { day: utcDay(Date.now()), limit: '4', spent: '0', left: '4' },
    });
  });

  it('is shown with what awards have spent, what a rejection gives back, and a total that was raised', async () => {
    const id = await publish({ total: '10', per_day: '4' });
    const { issued } = await settle(id, 3);
    expect(await shown(id)).toMatchObject({
      total: { limit: '10', spent: '1.5', left: '8.5' },
      per_day: { limit: '4', spent: '1.5', left: '2.5' },
    });
    await tables.answer({ award_id: issued[0].award.award_id, seq: 1, result: 'rejected' });
    await api.call('POST', `/tasks/${id}/budget`, { total: '20' }, { 'organizer-1': 'approver' }, 'operator-3');
    expect(await shown(id)).toMatchObject({
      total: { stated: '10', limit: '20', spent: '1', left: '19' },
      per_day: { spent: '1', left: '3' },
    });
  });

  it('is that of the newest published version, also before the first award under it', async () => {
    const id = await publish({ total: '10' });
    await settle(id, 3);
    await addVersion(id, { total: '1', per_day: '4' });
    expect(await shown(id)).toMatchObject({
      version: 2,
      total: { stated: '1', limit: '1', spent: '1.5', left: '-0.5' },
      per_day: { spent: '1.5', left: '2.5' },
    });
  });

  it('is null of a task that states none, and a conflict of one that was never published', async () => {
    expect(await shown(await publish(undefined))).toMatchObject({ total: null, per_day: null });
    const draft = await api.created('/tasks', { platform: 'acme', ...stated });
    expect(await ask(draft)).toMatchObject({ status: 409, json: { error: { code: 'conflict' } } });
  });

  it('is not known of a task that the engine leaves out: the answer does not say that it was never published', async () => {
    const id = await publish({ total: '10' });
    const goal = { ...stated.goal, window: { rolling: 'P1Y' } };
    await api.pool.query(
      `ALTER TABLE engagement.definitions DISABLE TRIGGER keep_published_definition;
       UPDATE engagement.definitions SET body = body || '${JSON.stringify({ goal })}' WHERE definition_id = '${id}';
       ALTER TABLE engagement.definitions ENABLE TRIGGER keep_published_definition`,
    );
    const message = expect.stringMatching(/^The engine cannot evaluate this task and leaves it out/) as string;
    const leftOut = { status: 409, json: { error: { code: 'conflict', message } } };
    expect(await ask(id)).toMatchObject(leftOut);
    const ids = { ids: [1] };
    const approver = { 'organizer-1': 'approver' };
    expect(await api.call('POST', `/tasks/${id}/unissued/pay`, ids, approver, 'operator-3')).toMatchObject(leftOut);
    expect((await api.call('POST', `/tasks/${id}/end`)).status).toBe(200);
  });

  function ask(id: string): Promise<Answer> {
    return api.call('GET', `/tasks/${id}/budget`, undefined, { 'organizer-1': 'viewer' });
  }

  async function shown(id: string): Promise<object> {
    const { status, json } = await ask(id);
    expect(status).toBe(200);
    return json;
  }

  async function publish(budget: object | undefined): Promise<string> {
    const id = await api.created('/tasks', { platform: 'acme', ...stated, budget });
    expect((await api.publish(`/tasks/${id}`)).status).toBe(200);
    return id;
  }

  async function addVersion(id: string, budget: object): Promise<void> {
    await api.call('POST', `/tasks/${id}/versions`, { ...stated, budget });
    expect((await api.publish(`/tasks/${id}`)).status).toBe(200);
  }

  /** Issues the first occurrences to ann, now. */
  async function settle(id: string, count: number) {
    const { definitions } = await inTransaction(api.pool, (tx) => api.store.loadPublished(tx));
    const task = definitions.find(({ definitionId }) => definitionId === id) as TaskDefinition;
    const finding = findingOf(task, [owedAgo(30, every(1, count), { reward: half })], { user: ann });
    return tables.settle([finding], Date.now());
  }
});
