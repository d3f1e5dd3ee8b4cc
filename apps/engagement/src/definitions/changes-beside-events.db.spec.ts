import { inTransaction } from '@podium/runtime/postgres';
import { Answer, DefinitionsApi, startDefinitionsApi } from '../../test/definitions-api';
import { shareWithSlowWork } from './epoch.store';

const goal = { sum: { event: 'deposit' }, attribute: 'amount', window: { lifetime: true }, op: 'gte', value: '100' };
const task = { platform: 'acme', name: 'Deposit 100', goal, repeat: { once: true } };
const reward = { type: 'points', amount: '5' };

describe('changes of definitions beside events', () => {
  let api: DefinitionsApi;
  let path: string;

  beforeAll(async () => {
    api = await startDefinitionsApi();
    path = `/tasks/${await api.created('/tasks', { ...task, reward })}`;
  });
  afterAll(() => api?.stop());

  const publish = (): Promise<Answer> => api.publish(path);
  const move = (verb: string) => (): Promise<Answer> => api.call('POST', `${path}/${verb}`);
  const rates = { organizer_id: 'organizer-1', rates: [{ from: 'USD', to: 'EUR', day: '2026-01-01', rate: '0.9' }] };
  const approve = async (): Promise<Answer> => {
    expect((await api.call('POST', '/rates', rates)).status).toBeLessThan(300);
    return api.call('POST', '/rates/approve', rates, { 'organizer-1': 'approver' }, 'operator-2');
  };

  /** Resolves when a session waits for an advisory lock; returns how many of the waiting ones have added to the outbox. */
  async function waiting(): Promise<number> {
    for (;;) {
      const { rows } = await api.pool.query<{ waiting: number; published: number }>(
        `SELECT count(*) AS waiting, count(*) FILTER (WHERE EXISTS (
           SELECT FROM pg_locks AS own
           WHERE own.pid = pg_locks.pid AND relation = 'engagement.outbox'::regclass AND mode = 'RowExclusiveLock')) AS published
         FROM pg_locks JOIN pg_database ON pg_database.oid = database
         WHERE locktype = 'advisory' AND NOT granted AND datname = current_database()`,
      );
      if (rows[0].waiting > 0) return rows[0].published;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  it.each([
    ['publication', publish],
    ['pause', move('pause')],
    ['resumption', move('resume')],
    ['approval of rates', approve],
    ['end', move('end')],
  ])('a %s makes events wait with its last statement alone', async (_name, change) => {
    let changing: Promise<Answer> | undefined;
    let published = 0;
    await inTransaction(api.pool, async (batch) => {
      await api.store.readEpoch(batch);
      changing = change();
      published = await waiting();
    });
    expect((await changing!).status).toBeLessThan(300);
    // All else was done, its record is written.
    expect(published).toBe(1);
  });

  it('batches go on while a change waits for background work', async () => {
    const order: string[] = [];
    const other = `/tasks/${await api.created('/tasks', { ...task, reward })}`;
    let publishing: Promise<unknown> | undefined;
    await inTransaction(api.pool, async (background) => {
      await shareWithSlowWork(background);
      await api.store.readEpoch(background);
      publishing = api.publish(other).then(({ status }) => order.push(`published ${status}`));
      await waiting();
      await inTransaction(api.pool, (batch) => api.store.readEpoch(batch));
      order.push('batch done');
    });
    await publishing;
    expect(order).toEqual(['batch done', 'published 200']);
  });
});
