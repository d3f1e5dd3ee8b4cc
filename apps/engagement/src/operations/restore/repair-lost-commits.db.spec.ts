import { BonusAwardIssuedData, bonusAwardIssued, bonusAwardReversed, topics } from '@podium/messages';
import { createLog } from '@podium/runtime/log';
import { Registry } from '@podium/runtime/metrics';
import { PublishedRecord } from '@podium/runtime/outbox';
import { Pool, createPool, inTransaction } from '@podium/runtime/postgres';
import { FreshDatabase, freshDatabase } from '@podium/testing';
import { AwardRaceError, issueAwards } from '../../awards/awards.store';
import { migrations, schema } from '../../migrations';
import { repairLostCommits } from './repair-lost-commits';

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

  it('are refused where the ledger differs', async () => {
    const award = awardOf('award-2');
    await issue(award);
    const other = { ...award, reward: { type: 'points', amount: '9' } };
    const lost = [recordOf(topics.awards.name, 'acme|user-1', bonusAwardIssued.type, other)];
    await expect(repair(lost)).rejects.toThrow('award-2/1');
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

  function membership(member: boolean): PublishedRecord {
    return recordOf(topics.memberships.name, `acme|user-1|${segmentId}`, 'membership', {
      ...{ platform: 'acme', user_id: 'user-1', platform_user_id: 'sub-1', organizer_id: 'organizer-1' },
      ...{ segment_id: segmentId, segment_version: 1, member, changed_at: 1, reason: 'event' },
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
