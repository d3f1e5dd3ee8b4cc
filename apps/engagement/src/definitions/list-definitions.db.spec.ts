import { Answer, DefinitionsApi, inDays, startDefinitionsApi } from '../../test/definitions-api';
import { Definition } from './definition.entity';

const task = {
  platform: 'acme',
  name: 'Deposit 100',
  goal: { sum: { event: 'deposit' }, attribute: 'amount', window: { lifetime: true }, op: 'gte', value: '100' },
  repeat: { once: true },
  reward: { type: 'points', amount: '5' },
};
const { platform: _platform, ...taskVersion } = task;
const later = { in_force_from: inDays(300) };

describe('a list of definitions', () => {
  let api: DefinitionsApi;
  /** By what is shown of it, in the order in which they were created. */
  const ids = new Map<string, string>();

  beforeAll(async () => {
    api = await startDefinitionsApi();
    await given('2 draft', async (path) => addVersion(path));
    await given('1 published', async (path) => {
      await published(path);
      await addVersion(path);
      await addVersion(path);
    });
    await given('2 published', async (path) => {
      await published(path);
      await addVersion(path);
      await published(path, { version: 2, ...later });
      await addVersion(path);
    });
    await given('1 paused', async (path) => {
      await published(path);
      await addVersion(path);
      await called(`${path}/pause`);
    });
    await given('2 ended', async (path) => {
      await published(path);
      await addVersion(path);
      await published(path, { version: 2, ...later });
      await addVersion(path);
      await called(`${path}/end`);
    });
    await given('1 draft', () => Promise.resolve());
    // A version that is added does not move its definition.
    await addVersion(`/tasks/${ids.get('2 draft')}`, 3);
    ids.set('3 draft', ids.get('2 draft')!).delete('2 draft');
  });
  afterAll(() => api?.stop());

  it('shows of each the version that it shows alone, on pages of any size', async () => {
    const items = await pages(100);
    expect(items.map(({ version, state }) => `${String(version)} ${String(state)}`)).toEqual([
      '1 draft',
      '2 ended',
      '1 paused',
      '2 published',
      '1 published',
      '3 draft',
    ]);
    for (const item of items) {
      const { versions: _versions, ...alone } = (await api.call('GET', `/tasks/${String(item.task_id)}`)).json;
      expect(item).toEqual(alone);
    }
    for (const limit of [1, 2, 5, 6]) expect(await pages(limit)).toEqual(items);
  });

  it('reads one body of each definition, and what is stored beside a definition is shown without its bodies', async () => {
    let bodies = 0;
    await api.store.transaction(async ({ connection }) => {
      connection.subscribers.push({
        listenTo: () => Definition,
        afterLoad: ({ body }: Partial<Definition>) => void (bodies += body === undefined ? 0 : 1),
      });
    });
    expect(await pages(100)).toHaveLength(ids.size);
    expect(bodies).toBe(ids.size);
    for (const beside of ['audit', 'unissued', 'dry-runs'])
      expect((await api.call('GET', `/tasks/${ids.get('2 ended')}/${beside}`)).status).toBe(200);
    expect(bodies).toBe(ids.size);
  });

  async function given(shown: string, change: (path: string) => Promise<void>): Promise<void> {
    const id = await api.created('/tasks', { ...task, name: shown });
    ids.set(shown, id);
    await change(`/tasks/${id}`);
  }

  async function addVersion(path: string, amount = 5): Promise<void> {
    const reward = { ...task.reward, amount: String(amount) };
    expect((await api.call('POST', `${path}/versions`, { ...taskVersion, reward })).status).toBe(201);
  }

  async function published(path: string, request: object = {}): Promise<void> {
    expect((await api.publish(path, request)).status).toBe(200);
  }

  async function called(path: string): Promise<void> {
    expect((await api.call('POST', path)).status).toBe(200);
  }

  async function pages(limit: number): Promise<Answer['json']['items']> {
    const items: Answer['json']['items'] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const { status, json }: Answer = await api.call('GET', `/tasks?limit=${limit}&cursor=${cursor}`);
      expect(status).toBe(200);
      items.push(...json.items);
      cursor = json.next_cursor as string | null;
    }
    return items;
  }
});
