import { topics } from '@podium/messages';
import { createKafka } from '@podium/runtime/kafka';
import { pino } from 'pino';
import { LoadPlatform, publishPlatforms } from '../../bench/ingest/fixture';
import { call, until } from '../../tools/seed/api';
import { startStackForTest } from '../../tools/stack/whole-stack';
import { withClient } from '../../tools/stack/with-client';
import { mintToken } from '../support/partner-under-test';
import { readTopics } from '../support/read-topic';
import { RaceCourse, RaceTimes, race } from './budget-race';

jest.setTimeout(900_000);

const users = 10_000;
const units = 1_000;
/** One of each instance, in the course of the race. */
const killAt = [300, 2_000, 4_500, 7_000];

describe('10,000 users race for 1,000 units through four engagement instances', () => {
  let stack: Awaited<ReturnType<typeof startStackForTest>>;
  let course: RaceCourse;
  let runners: readonly LoadPlatform[];
  const times = new Map<string, RaceTimes>();

  beforeAll(async () => {
    const only = ['sandbox', 'engagement', 'gateway'] as const;
    stack = await startStackForTest('budget', { seed: false, only, instances: { engagement: 4 } });
    const { kafka_brokers, database_url: databaseUrl } = stack.infrastructure.addresses;
    const logger = pino({ level: 'error' });
    const kafka = createKafka({ brokers: kafka_brokers.split(','), clientId: 'race', logger });
    course = { kafka, databaseUrl, engagement: stack.services.of('engagement') };
    runners = await publishPlatforms(kafka, 3, users);
    await until('all links being known', 180_000, async () =>
      (await count('FROM engagement.links')) === runners.length * users ? true : undefined,
    );
  });

  afterAll(async () => {
    for (const [name, { eventsPerS, killedAt }] of times)
      process.stdout.write(`${name}: ${Math.round(eventsPerS)} events/s, ${killedAt.length} kills\n`);
    await stack?.dispose();
  });

  it('without a budget all are issued', async () => {
    const taskId = await publishTask(runners[0]);
    times.set('without a budget', await race(course, runners[0], []));
    expect(await issuedOf(taskId)).toHaveLength(users);
  });

  it.each([
    ['with a budget', 1, []],
    ['with a budget and kill -9 in between', 2, killAt],
  ])('%s exactly 1,000 units are issued, in ledger and topic, and the rest is withheld', async (name, index, kills) => {
    const taskId = await publishTask(runners[index], { total: `${units}` });
    const result = await race(course, runners[index], kills);
    times.set(name, result);
    expect(result.killedAt.length).toBe(kills.length);

    const issued = await issuedOf(taskId);
    expect(issued).toHaveLength(units);
    expect(new Set(issued.map(({ user }) => user)).size).toBe(units);
    expect(issued.filter(({ seq }) => seq !== 1)).toEqual([]);
    const withheld = `FROM engagement.unissued_awards WHERE task_id = '${taskId}'`;
    expect(await count(withheld)).toBe(users - units);
    expect(await count(`${withheld} AND status = 'withheld' AND reason = 'budget_total' AND first = last`)).toBe(
      users - units,
    );
    expect(await sharesOf(taskId)).toEqual({ left: 0, below: 0 });

    await until('an empty outbox', 60_000, async () =>
      (await count('FROM engagement.outbox')) === 0 ? true : undefined,
    );
    const published = (await readTopics(stack.infrastructure.addresses.kafka_brokers, [topics.awards.name]))
      .filter(({ value }) => value.data.task_id === taskId)
      .map(({ value }) => `${value.type} ${String(value.data.award_id)} ${String(value.data.seq)}`);
    // A relay that dies after a send publishes the same record again: it is known by award and seq.
    expect([...new Set(published)].sort()).toEqual(
      issued.map(({ awardId }) => `engagement.bonus-award.issued ${awardId} 1`).sort(),
    );
  });

  async function publishTask({ platform }: LoadPlatform, budget?: object): Promise<string> {
    const sandbox = stack.services.first('sandbox').url;
    const token = await mintToken(sandbox, 'race-operator', { '*': 'admin' });
    const approver = await mintToken(sandbox, 'race-approver', { '*': 'approver' });
    const tasks = `${stack.services.publicUrl}/admin/v1/tasks`;
    const { task_id } = await call<{ task_id: string }>('POST', tasks, {
      token,
      body: {
        ...{ platform, name: 'The first deposit', repeat: { once: true } },
        goal: { count: { event: 'deposit' }, window: { lifetime: true }, op: 'gte', value: 1 },
        reward: { type: 'points', amount: '1' },
        ...(budget === undefined ? {} : { budget }),
      },
    });
    await call('POST', `${tasks}/${task_id}/publish`, { token: approver, body: {} });
    return task_id;
  }

  async function issuedOf(taskId: string): Promise<{ awardId: string; user: string; seq: number }[]> {
    return withClient(course.databaseUrl, async (client) => {
      const { rows } = await client.query<{ awardId: string; user: string; seq: number }>(
        `SELECT award_id AS "awardId", user_id AS user, seq
         FROM engagement.awards JOIN engagement.ledger_entries USING (award_id) WHERE task_id = $1`,
        [taskId],
      );
      return rows;
    });
  }

  async function sharesOf(taskId: string): Promise<{ left: number; below: number }> {
    return withClient(course.databaseUrl, async (client) => {
      const { rows } = await client.query<{ left: string; below: string }>(
        `SELECT sum(available) AS left, count(*) FILTER (WHERE available < 0) AS below
         FROM engagement.budget_shards WHERE task_id = $1`,
        [taskId],
      );
      return { left: Number(rows[0].left), below: Number(rows[0].below) };
    });
  }

  async function count(from: string): Promise<number> {
    return withClient(course.databaseUrl, async (client) => {
      const { rows } = await client.query<{ count: string }>(`SELECT count(*) ${from}`);
      return Number(rows[0].count);
    });
  }
});
