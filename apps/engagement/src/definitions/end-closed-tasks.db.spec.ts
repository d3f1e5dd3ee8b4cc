import { queryable } from '@podium/runtime/postgres';
import { DefinitionsApi, startDefinitionsApi } from '../../test/definitions-api';
import { endClosedTasks } from './end-closed-tasks';
import { knownAfterEndS, readPublishedDefinitions } from './published-definitions.store';

const daysMs = 86_400_000;
const task = {
  platform: 'acme',
  name: 'Each deposit',
  goal: { count: { event: 'deposit' }, op: 'gte', value: 1 },
  repeat: { every: '1' },
  max_per_user: 1000,
  reward: { type: 'points', amount: '1' },
  claw_back: 'none',
};

describe('tasks after their close', () => {
  let api: DefinitionsApi;

  beforeAll(async () => {
    api = await startDefinitionsApi();
  });
  afterAll(() => api?.stop());

  it('end once no event of before can be waiting, and the engine knows them no longer', async () => {
    const endsAtMs = Math.floor(Date.now() / daysMs) * daysMs + 2 * daysMs;
    const endsAt = new Date(endsAtMs).toISOString();
    const closing = await published({ ...task, ends_at: endsAt });
    const paused = await published({ ...task, ends_at: endsAt });
    await api.call('POST', `/tasks/${paused}/pause`, {});
    const open = await published(task);
    const overMs = endsAtMs + knownAfterEndS * 1000;
    const known = async (): Promise<string[]> =>
      (await readPublishedDefinitions(queryable(api.pool), overMs / 1000)).definitions.map(
        ({ definitionId }) => definitionId,
      );

    expect(await endClosedTasks(api.pool, overMs - 1000)).toBe(0);
    expect(await known()).toHaveLength(3);
    // Several instances do it at the same time.
    const ended = await Promise.all([1, 2, 3].map(() => endClosedTasks(api.pool, overMs)));
    expect(ended.reduce((sum, count) => sum + count, 0)).toBe(2);
    expect(await known()).toEqual([open]);

    for (const id of [closing, paused]) {
      const { json } = await api.call('GET', `/tasks/${id}`);
      expect(json).toMatchObject({ state: 'ended' });
      expect(Date.parse(json.ended_at)).toBe(endsAtMs);
      const audit = await api.call('GET', `/tasks/${id}/audit`);
      expect(audit.json.items[0]).toMatchObject({
        ...{ operator_id: 'engine', action: 'task.ended' },
        details: { version: 1, ended_at: new Date(endsAtMs).toISOString() },
      });
      expect(audit.json.items.find(({ action }) => (action as string) === 'task.published')).toMatchObject({
        details: { version: 1, in_force_from: json.in_force_from },
      });
    }
    expect((await api.call('POST', `/tasks/${closing}/resume`, {})).json.error.code).toBe('conflict');
  });

  async function published(body: object): Promise<string> {
    const id = await api.created('/tasks', body);
    expect((await api.publish(`/tasks/${id}`)).json).toMatchObject({ state: 'published' });
    return id;
  }
});
