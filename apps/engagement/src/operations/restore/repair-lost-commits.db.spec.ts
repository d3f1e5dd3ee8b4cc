import {
  BonusAwardIssuedData,
  TaskProgressData,
  bonusAwardIssued,
  bonusAwardReversed,
  taskProgressChanged,
  topics,
} from '@podium/messages';
import { createLog } from '@podium/runtime/log';
import { Registry } from '@podium/runtime/metrics';
import { PublishedRecord } from '@podium/runtime/outbox';
import { Pool, createPool, inTransaction } from '@podium/runtime/postgres';
import { FreshDatabase, freshDatabase } from '@podium/testing';
import { taskOf } from '../../../test/task-findings';
import { AwardRaceError, issueAwards } from '../../awards/awards.store';
import { restateBudgets } from '../../budgets/restate-budgets';
import { migrations, schema } from '../../migrations';
import { readTold } from '../../shown-progress/told-progress.store';
import { lockUsers, userKeyText } from '../../users/users.store';
import { repairLostCommits } from './repair-lost-commits';

const taskIds = ['00000000-0000-4000-8000-000000000003', '00000000-0000-4000-8000-000000000004'];
const segmentId = '00000000-0000-4000-8000-000000000002';

describe('records that engagement published and Postgres lost', () => {
  let database: FreshDatabase;
  let pool: Pool;
  let revision = 0;

  beforeAll(async () => {
    database = await freshDatabase({ schema, migrations });
    const logger = createLog({ service: 'test', instance: 'test', level: 'silent' });
    pool = createPool({ url: database.url, size: 2, service: 'test' }, logger, new Registry());
  });

  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  it('are restored to the ledger, so that the same events issue nothing, and memberships are as published', async () => {
    const award = awardOf('award-1');
    const lost = [
      recordOf(topics.awards.name, 'acme|user-1', bonusAwardIssued.type, award),
      recordOf(topics.awards.name, 'acme|user-1', bonusAwardReversed.type, { ...award, seq: 2, reason: 'mistake' }),
      membership(true),
    ];
    await repair(lost);
    expect(await entries()).toEqual(['award-1 1 issued', 'award-1 2 reversed']);
    await expect(issue(award)).rejects.toThrow(AwardRaceError);
    // A segment that the database does not have: its members leave, which is published.
    expect(await published()).toEqual([`${segmentId} false`]);
    await repair(lost.slice(0, 2));
    expect(await entries()).toHaveLength(2);
  });

  it('are restored to the rates: an approved one takes the place of one that was only given', async () => {
    await pool.query(
      `INSERT INTO engagement.rates (organizer_id, from_currency, to_currency, day, rate, given_by, given_at)
       VALUES ('organizer-1', 'USD', 'EUR', '2026-11-05', 7, 'ann', now())`,
    );
    const { rows: before } = await pool.query('SELECT mark FROM engagement.definition_epoch');
    const lost = [rate('2026-11-04', '0.9'), rate('2026-11-05', '0.91'), rate('2026-11-05', '0.91')];
    await repair(lost);
    await repair(lost);
    const { rows } = await pool.query<{ text: string }>(
      `SELECT day || ' ' || trim_scale(rate) || ' ' || approved_by AS text FROM engagement.rates ORDER BY 1`,
    );
    expect(rows.map(({ text }) => text)).toEqual(['2026-11-04 0.9 bob', '2026-11-05 0.91 bob']);
    expect((await pool.query('SELECT mark FROM engagement.definition_epoch')).rows).not.toEqual(before);
  });

  it('are counted in the budget of their day, whose rows were lost with them', async () => {
    const task = taskOf({ budget: { per_day: '5' } }, { definitionId: '00000000-0000-4000-8000-000000000005' });
    const taskId = task.definitionId;
    await pool.query('INSERT INTO engagement.budgets (task_id, version, per_day) VALUES ($1, 1, 5)', [taskId]);
    const award = { ...awardOf('award-5'), task_id: taskId, reward: { type: 'points', amount: '4' } };
    await repair([recordOf(topics.awards.name, 'acme|user-1', bonusAwardIssued.type, award)]);
    await inTransaction(pool, (tx) => restateBudgets(tx, [task], '1970-01-01'));
    const { rows } = await pool.query<{ left: string }>(
      'SELECT trim_scale(sum(available))::text AS left FROM engagement.budget_shards WHERE task_id = $1',
      [taskId],
    );
    expect(rows).toEqual([{ left: '1' }]);
  });

  it('are refused where the ledger differs', async () => {
    const award = awardOf('award-2');
    await issue(award);
    const other = { ...award, reward: { type: 'points', amount: '9' } };
    const lost = [recordOf(topics.awards.name, 'acme|user-1', bonusAwardIssued.type, other)];
    await expect(repair(lost)).rejects.toThrow('award-2/1');
  });

  it('are refused where two awards have one account', async () => {
    const award = awardOf('award-3');
    await issue(award);
    const other = { ...award, award_id: 'award-4', user_id: 'user-2' };
    const record = recordOf(topics.awards.name, 'acme|user-2', bonusAwardIssued.type, other);
    await expect(repair([record])).rejects.toThrow('award-4/1');
  });

  it('are the progress that was told last, of users who exist and were not erased since', async () => {
    const users = ['user-1', 'erased'].map((userId) => ({ platform: 'acme', userId }));
    const known = await inTransaction(pool, (tx) => lockUsers(tx, users));
    await pool.query(
      `INSERT INTO engagement.erasures (user_digest, erased_at) VALUES (engagement.identity_digest('acme', 'erased'), 20)`,
    );
    const lost = [
      progress('user-1', 10, { task_id: taskIds[0], value: '1', reached: false }),
      progress('user-1', 11, { task_id: taskIds[1], value: '4', reached: true }),
      progress('user-1', 12, { task_id: taskIds[0], value: '2', reached: false }),
      progress('erased', 19, { task_id: taskIds[0], value: '1', reached: false }),
      progress('stranger', 19, { task_id: taskIds[0], value: '1', reached: false }),
    ];
    await repair(lost);
    // A relay that did not know that they were published has published them a second time.
    await repair(lost.slice(0, 1));
    const told = await inTransaction(pool, (tx) =>
      readTold(
        tx,
        [...known.values()].map(({ userRef }) => userRef),
      ),
    );
    expect([...told.keys()]).toEqual([known.get(userKeyText(users[0]))!.userRef]);
    const [{ tasks, revision: newest }] = told.values();
    expect(newest).toBe(lost[2].revision);
    expect(Object.fromEntries(tasks)).toEqual({
      [taskIds[0]]: { series: 'g1:once', value: '2', target: '4', reachedAt: null },
      [taskIds[1]]: { series: 'g1:once', value: '4', target: '4', reachedAt: 11 },
    });
  });

  function issue(award: BonusAwardIssuedData): Promise<void> {
    const evidence = { version: 1, values: {}, events: [] };
    return inTransaction(pool, (tx) => issueAwards(tx, [{ award, evidence }], Date.now()));
  }

  function repair(lost: readonly PublishedRecord[]): Promise<void> {
    return inTransaction(pool, (tx) => repairLostCommits(tx, lost, Date.now()));
  }

  async function entries(): Promise<string[]> {
    const { rows } = await pool.query<{ text: string }>(
      `SELECT award_id || ' ' || seq || ' ' || kind AS text FROM engagement.ledger_entries ORDER BY 1`,
    );
    return rows.map(({ text }) => text);
  }

  async function published(): Promise<string[]> {
    const { rows } = await pool.query<{ data: string }>('SELECT data FROM engagement.outbox ORDER BY id');
    return rows.map(({ data }) => {
      const { segment_id, member } = JSON.parse(data) as { segment_id: string; member: boolean };
      return `${segment_id} ${member}`;
    });
  }

  function rate(day: string, text: string): PublishedRecord {
    return recordOf(topics.rates.name, `organizer-1|USD|EUR|${day}`, 'rate', {
      ...{ organizer_id: 'organizer-1', from: 'USD', to: 'EUR', day, rate: text },
      ...{ given_by: 'ann', given_at: 1, approved_by: 'bob', approved_at: 2 },
    });
  }

  function membership(member: boolean): PublishedRecord {
    return recordOf(topics.memberships.name, `acme|user-1|${segmentId}`, 'membership', {
      ...{ platform: 'acme', user_id: 'user-1', platform_user_id: 'sub-1', organizer_id: 'organizer-1' },
      ...{ segment_id: segmentId, segment_version: 1, member, changed_at: 1, reason: 'event' },
    });
  }

  function progress(
    userId: string,
    shownAt: number,
    task: Pick<TaskProgressData['tasks'][number], 'task_id' | 'value' | 'reached'>,
  ): PublishedRecord {
    return recordOf(topics.taskProgress.name, `acme|${userId}`, taskProgressChanged.type, {
      ...{ platform: 'acme', organizer_id: 'organizer-1', user_id: userId, platform_user_id: 'sub-1' },
      shown_at: shownAt,
      tasks: [{ task_version: 1, series: 'g1:once', period_ends_at: null, target: '4', ...task }],
    });
  }

  function recordOf(topic: string, key: string, type: string, data: object): PublishedRecord {
    revision++;
    const place = { topic, partition: 0, offset: BigInt(revision), key, revision, timestampMs: 1 };
    return { ...place, record: { type, revision, occurred_at: 1, data } as unknown as PublishedRecord['record'] };
  }
});

function awardOf(awardId: string): BonusAwardIssuedData {
  return {
    ...{ award_id: awardId, seq: 1, task_id: '00000000-0000-4000-8000-000000000001', task_version: 1 },
    ...{ occurrence: awardId, platform: 'acme', organizer_id: 'organizer-1', user_id: 'user-1' },
    ...{ platform_user_id: 'sub-1', reward: { type: 'points', amount: '1' }, reached_at: 1 },
  };
}
