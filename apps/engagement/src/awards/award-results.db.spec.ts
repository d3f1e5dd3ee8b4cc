import { BonusAwardIssuedData, BonusAwardResultData, bonusAwardAnswered } from '@podium/messages';
import { TablePositions } from '@podium/runtime/consumers';
import { OutageError, Outcome, PositionMovedError, RecordBatch } from '@podium/runtime/kafka';
import { createLog } from '@podium/runtime/log';
import { Registry } from '@podium/runtime/metrics';
import { OutboxTimelineStore } from '@podium/runtime/outbox';
import { Pool, createPool, inTransaction, queryable } from '@podium/runtime/postgres';
import { FreshDatabase, freshDatabase } from '@podium/testing';
import { EngagementMetrics } from '../metrics/engagement-metrics';
import { positionsTable } from '../inbox/positions-table';
import { migrations, schema } from '../migrations';
import { AwardResultsConsumer } from './award-results.consumer';
import { EnterAwardResults } from './enter-award-results';
import { IssuedAward, issueAwards } from './awards.store';

type ResultBatch = RecordBatch<typeof bonusAwardAnswered>;

describe('the consumer of award results', () => {
  let database: FreshDatabase;
  let pool: Pool;
  let consumer: AwardResultsConsumer;
  let offset = 0n;

  beforeAll(async () => {
    database = await freshDatabase({ schema, migrations });
    const logger = createLog({ service: 'test', instance: 'test', level: 'silent' });
    pool = createPool({ url: database.url, size: 4, service: 'test' }, logger, new Registry());
    consumer = new AwardResultsConsumer(new EnterAwardResults(pool), new EngagementMetrics(new Registry()));
    await inTransaction(pool, (tx) => issueAwards(tx, ['known', 'other'].map(awardOf), Date.now()));
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  it('stores its position with the results, and refuses a batch that does not follow it', async () => {
    expect(await consumer.handle(await batchOf(answer('known')))).toEqual([{ kind: 'done' }]);
    const next = await batchOf(answer('other'));
    await pool.query('UPDATE engagement.positions SET next_offset = next_offset - 1');
    expect(await consumer.handle(next)).toHaveProperty('error', expect.any(PositionMovedError));
    expect(await answered()).toEqual(['known']);
    await pool.query('UPDATE engagement.positions SET next_offset = next_offset + 1');
    expect(await consumer.handle(next)).toEqual([{ kind: 'done' }]);
    expect(await answered()).toEqual(['known', 'other']);
  });

  it('moves past a result of an unknown award only after its dead letter is written', async () => {
    const letters: (bigint | null)[] = [];
    const batch = await batchOf(answer('nobody'));
    const deadLetter = async (): Promise<void> => void letters.push(await stored());
    expect(
      await consumer.handle({ ...batch, deadLetter: () => Promise.reject(new OutageError('Kafka away')) }),
    ).toEqual(expect.objectContaining({ error: expect.any(OutageError) as unknown }));
    expect(await stored()).toBe(batch.position);
    const outcomes = (await consumer.handle({ ...batch, deadLetter })) as Outcome[];
    expect(outcomes.map(({ kind }) => kind)).toEqual(['dead']);
    expect([letters, await stored()]).toEqual([[batch.position], batch.lastOffset + 1n]);
  });

  it('takes a result whatever its reason contains, and takes an id that no award can have for an unknown award', async () => {
    await inTransaction(pool, (tx) => issueAwards(tx, ['long', 'nul'].map(awardOf), Date.now()));
    for (const [awardId, reason, stored] of [
      ['long', 'x'.repeat(900_000), 'x'.repeat(1_000)],
      ['nul', 'account\0closed', 'account\ufffdclosed'],
    ] as const) {
      const batch = await batchOf({ ...answer(awardId), result: 'rejected', reason });
      expect(await consumer.handle(batch)).toEqual([{ kind: 'done' }]);
      const { rows } = await pool.query<{ reason: string }>(
        `SELECT reason FROM engagement.ledger_entries WHERE award_id = $1 AND kind = 'rejected'`,
        [awardId],
      );
      expect(rows).toEqual([{ reason: stored }]);
    }
    const outcomes = (await consumer.handle(await batchOf(answer('known\0')))) as Outcome[];
    expect(outcomes.map(({ kind }) => kind)).toEqual(['dead']);
  });

  it('waits until the losses of a failover are repaired, because the award may be among them', async () => {
    const letters: unknown[] = [];
    const batch = { ...(await batchOf(answer('lost'))), deadLetter: async () => void letters.push('dead') };
    await pool.query(`UPDATE engagement.outbox_timeline SET timeline = '00000000'`);
    expect(await consumer.handle(batch)).toHaveProperty('error', expect.any(OutageError));
    expect([letters, await stored()]).toEqual([[], batch.position]);
    await inTransaction(pool, async (tx) => {
      await new OutboxTimelineStore(schema).admit(tx);
      await issueAwards(tx, [awardOf('lost')], Date.now());
    });
    expect(await consumer.handle(batch)).toEqual([{ kind: 'done' }]);
  });

  function stored(): Promise<bigint | null> {
    return new TablePositions(queryable(pool), positionsTable).load('results', 0);
  }

  async function batchOf(data: BonusAwardResultData): Promise<ResultBatch> {
    const place = { topic: 'results', partition: 0, position: await stored(), firstOffset: offset, lastOffset: offset };
    const envelope = { id: `a-${offset}`, type: bonusAwardAnswered.type, schema_version: 1, revision: 1 };
    const record = { ...envelope, occurred_at: 1, key: 'k', source: 'bonus', data };
    const read = { offset: offset++, key: 'k', timestampMs: 1, headers: {}, sizeBytes: 1, record };
    return { ...place, records: [read], deadLetter: async () => undefined };
  }

  async function answered(): Promise<string[]> {
    const { rows } = await pool.query<{ award_id: string }>(
      `SELECT award_id FROM engagement.ledger_entries WHERE kind = 'confirmed' ORDER BY award_id`,
    );
    return rows.map(({ award_id }) => award_id);
  }
});

function awardOf(id: string): IssuedAward {
  const award: BonusAwardIssuedData = {
    award_id: id,
    seq: 1,
    task_id: '00000000-0000-4000-8000-000000000001',
    task_version: 1,
    occurrence: id,
    platform: 'acme',
    organizer_id: 'organizer-1',
    user_id: 'user-1',
    platform_user_id: 'sub-1',
    reward: { type: 'points', amount: '1' },
    reached_at: 1,
  };
  return { award, evidence: { version: 1, values: {}, events: [] } };
}

function answer(awardId: string): BonusAwardResultData {
  return { award_id: awardId, seq: 1, result: 'confirmed' } as BonusAwardResultData;
}
