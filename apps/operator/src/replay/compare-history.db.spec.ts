import { userEventRecordId } from '@podium/messages';
import { Registry } from '@podium/runtime/metrics';
import { Pool, createPool } from '@podium/runtime/postgres';
import { FreshDatabase, freshDatabase } from '@podium/testing';
import { userEvent } from '@podium/testing/user-event';
import { migrations, schema } from '../../../engagement/src/migrations';
import { OwnTopics } from '../../../engagement/test/own-topics';
import { readHistory } from './compare-history';

const topics = new OwnTopics({ events: 1, links: 1 });
const { kafka, logger, events } = topics;
const service = 'comparison';

describe('comparing the inbox with the topic', () => {
  let database: FreshDatabase;
  let pool: Pool;

  beforeAll(async () => {
    await topics.create();
    database = await freshDatabase({ schema, migrations });
    pool = createPool({ url: database.url, size: 3, service }, logger, new Registry());
  });

  afterAll(async () => {
    await topics.remove();
    await pool.end();
    await database.drop();
  });

  it('reads the topic without an open transaction, which would keep vacuum from removing rows', async () => {
    for (const id of ['applied', 'skipped', 'not yet read', 'during the first pass'])
      await topics.sendEvent(userEvent({ id, createdAt: 1_790_000_000, userId: 'user-1' }));
    await pool.query('INSERT INTO engagement.inbox (digest) SELECT unnest($1::uuid[])', [
      ['applied', 'no longer in the topic'].map((id) => userEventRecordId('acme', id)),
    ]);
    await pool.query('INSERT INTO engagement.positions (topic, partition, next_offset) VALUES ($1, 0, 2)', [
      events.name,
    ]);
    const states: Promise<string[]>[] = [];
    const sent: Promise<unknown>[] = [];
    const watched = new Proxy(kafka, {
      get: (target, name) => {
        if (name === 'ownClient') {
          states.push(sessionStates());
          sent.push(
            topics.sendEvent(userEvent({ id: `sent-${sent.length}`, createdAt: 1_790_000_000, userId: 'user-1' })),
          );
        }
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
    const history = await readHistory({ pool, kafka: watched, row: events, note: () => undefined });
    await Promise.all(sent);
    expect(history).toMatchObject({ inInbox: 2, onlyInInbox: 1, onlyInTopic: 1, unreadable: 0 });
    expect(history.inTopic).toBeGreaterThanOrEqual(4);
    const [first] = await Promise.all(states);
    expect(new Set(first)).toEqual(new Set(['idle']));
  });

  /** Of the pool's other connections. */
  async function sessionStates(): Promise<string[]> {
    const { rows } = await pool.query<{ state: string }>(
      `SELECT state FROM pg_stat_activity WHERE application_name = $1 AND pid <> pg_backend_pid()`,
      [service],
    );
    return rows.map(({ state }) => state);
  }
});
