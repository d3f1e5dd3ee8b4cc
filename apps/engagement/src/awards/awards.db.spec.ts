import { BonusAwardIssuedData } from '@podium/messages';
import { Operator } from '@podium/runtime/http';
import { createLog } from '@podium/runtime/log';
import { Registry } from '@podium/runtime/metrics';
import { Pool, createPool, inTransaction, queryable } from '@podium/runtime/postgres';
import { FreshDatabase, freshDatabase } from '@podium/testing';
import { migrations, schema } from '../migrations';
import { decideResults } from './award-results';
import { AwardRaceError, issueAwards } from './awards.store';
import { AwardsService } from './awards.service';
import { addLedgerEntries, lockLedgers } from './ledger.store';

const nowMs = Date.parse('2026-11-20T12:00:00Z');
const taskId = '00000000-0000-4000-8000-000000000001';
const all: Operator = { operatorId: 'op', roles: new Map([['*', ['viewer']]]) };
const foreign: Operator = { operatorId: 'op', roles: new Map([['organizer-2', ['admin']]]) };

describe('the award ledger', () => {
  let database: FreshDatabase;
  let pool: Pool;
  let service: AwardsService;

  beforeAll(async () => {
    database = await freshDatabase({ schema, migrations });
    const logger = createLog({ service: 'test', instance: 'test', level: 'error' });
    pool = createPool({ url: database.url, size: 4, service: 'test' }, logger, new Registry());
    service = new AwardsService(queryable(pool));
    for (const n of [1, 2, 3, 4, 5]) await issue(award(n));
  });

  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  it('issues an award once per user and per partner account', async () => {
    for (const other of [
      award(1),
      { ...award(1), award_id: 'other', user_id: 'another user' },
      { ...award(1), award_id: 'other', platform_user_id: 'another account' },
    ])
      await expect(issue(other)).rejects.toThrow(AwardRaceError);
  });

  it('enters a result once, also from two instances', async () => {
    const bring = (): Promise<string> =>
      inTransaction(pool, async (tx) => {
        const ledgers = await lockLedgers(tx, ['award-1']);
        const [outcome] = decideResults([{ award_id: 'award-1', seq: 1, result: 'confirmed' }], ledgers);
        if (outcome.kind === 'applied') await addLedgerEntries(tx, [outcome.entry], nowMs);
        return outcome.kind;
      });
    expect((await Promise.all([bring(), bring(), bring()])).sort()).toEqual(['applied', 'repeated', 'repeated']);
    const { items } = await service.list(all, { limit: 10, platform: 'acme', user_id: 'user-1' });
    expect(items).toHaveLength(1);
    expect(items[0].state).toBe('confirmed');
    expect(items[0].entries).toEqual([
      { seq: 1, kind: 'issued', answers_seq: null, reason: null, at: '2026-11-20T12:00:00.000Z' },
      { seq: 2, kind: 'confirmed', answers_seq: 1, reason: null, at: '2026-11-20T12:00:00.000Z' },
    ]);
  });

  it('is shown page by page, newest first, to operators of the organizer only', async () => {
    const seen: string[] = [];
    for (let cursor: string | undefined, pages = 0; pages < 4; pages++) {
      const page = await service.list(all, { limit: 2, cursor, task_id: taskId });
      seen.push(...page.items.map(({ award_id }) => award_id));
      if (page.next_cursor === null) break;
      cursor = page.next_cursor;
    }
    expect(seen).toEqual(['award-5', 'award-4', 'award-3', 'award-2', 'award-1']);
    expect((await service.list(foreign, { limit: 10 })).items).toEqual([]);
  });

  function issue(given: BonusAwardIssuedData): Promise<void> {
    const evidence = { version: 1, values: {}, events: [] };
    return inTransaction(pool, (tx) => issueAwards(tx, [{ award: given, evidence }], nowMs));
  }
});

function award(n: number): BonusAwardIssuedData {
  return {
    award_id: `award-${n}`,
    seq: 1,
    task_id: taskId,
    task_version: 1,
    occurrence: 'g1:once',
    platform: 'acme',
    organizer_id: 'organizer-1',
    user_id: `user-${n}`,
    platform_user_id: `sub-${n}`,
    reward: { type: 'points', amount: '1' },
    reached_at: nowMs / 1000,
  };
}
