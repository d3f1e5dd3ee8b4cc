import { BonusAwardIssuedData, BonusAwardResultData } from '@podium/messages';
import { createLog } from '@podium/runtime/log';
import { Registry } from '@podium/runtime/metrics';
import { Pool, createPool, inTransaction } from '@podium/runtime/postgres';
import { FreshDatabase, freshDatabase } from '@podium/testing';
import * as fc from 'fast-check';
import { LedgerEntry, decideResults } from '../../awards/award-results';
import { migrations, schema } from '../../migrations';
import { takeAnswers, takePublishedEntries } from './restore-ledger';
import { PublishedEntry } from './restored-ledger.store';

const taskId = '00000000-0000-4000-8000-000000000001';

/** What happened to an award, in its order. */
type Step = 'reverse' | 'confirm' | 'reject';

/** An award's ledger with what was published and answered of it. */
interface History {
  readonly award: BonusAwardIssuedData;
  readonly ledger: readonly LedgerEntry[];
  readonly published: readonly PublishedEntry[];
  readonly answers: readonly { data: BonusAwardResultData; atMs: number }[];
}

describe('the ledger read from its topics', () => {
  let database: FreshDatabase;
  let pool: Pool;
  let number = 0;

  beforeAll(async () => {
    database = await freshDatabase({ schema, migrations });
    const logger = createLog({ service: 'test', instance: 'test', level: 'silent' });
    pool = createPool({ url: database.url, size: 2, service: 'test' }, logger, new Registry());
  });

  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  it('is complete however much was lost, and a second restore adds nothing', async () => {
    const steps = fc.array(fc.constantFrom<Step>('reverse', 'confirm', 'reject'), { maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(steps, fc.nat({ max: 6 }), async (given, kept) => {
        const history = historyOf(`award-${number++}`, given);
        await write(history, kept);
        await restore(history);
        expect(await ledgerOf(history.award)).toEqual(history.ledger);
        expect(await restore(history)).toEqual({ addedAwards: [], addedEntries: 0, contradictions: [], added: 0 });
      }),
      { numRuns: 60 },
    );
  });

  it('reports published entries that differ from the ledger, and does not change them', async () => {
    const history = historyOf(`award-${number++}`, []);
    await write(history, 1);
    const [entry] = history.published;
    const other = { ...entry, award: { ...entry.award, reward: { type: 'points', amount: '2' } } };
    const taken = await inTransaction(pool, (tx) => takePublishedEntries(tx, [other]));
    expect(taken).toMatchObject({ addedEntries: 0, contradictions: [`${entry.award.award_id}/1`] });
  });

  it('knows an award whose names were erased', async () => {
    const history = historyOf(`award-${number++}`, []);
    await write(history, 1);
    await pool.query(
      `UPDATE engagement.awards SET user_id = engagement.pseudonym(platform, user_id),
         platform_user_id = engagement.pseudonym(platform, platform_user_id) WHERE award_id = $1`,
      [history.award.award_id],
    );
    expect(await restore(history)).toEqual({ addedAwards: [], addedEntries: 0, contradictions: [], added: 0 });
  });

  async function restore({ published, answers }: History) {
    const taken = await inTransaction(pool, (tx) => takePublishedEntries(tx, published));
    const { added } = await inTransaction(pool, (tx) => takeAnswers(tx, answers));
    return { ...taken, added };
  }

  /** Enters the first entries of a history, as a backup has them. */
  async function write({ award, ledger }: History, kept: number): Promise<void> {
    if (kept === 0) return;
    await pool.query(
      `INSERT INTO engagement.awards (award_id, task_id, task_version, occurrence, platform, organizer_id, user_id,
         platform_user_id, reward, reached_at, issued_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, now())`,
      [
        award.award_id,
        award.task_id,
        award.task_version,
        award.occurrence,
        award.platform,
        award.organizer_id,
        award.user_id,
        award.platform_user_id,
        JSON.stringify(award.reward),
        award.reached_at,
      ],
    );
    for (const { seq, kind, answersSeq } of ledger.slice(0, kept))
      await pool.query(
        `INSERT INTO engagement.ledger_entries (award_id, seq, kind, answers_seq, at) VALUES ($1, $2, $3, $4, now())`,
        [award.award_id, seq, kind, answersSeq],
      );
  }

  async function ledgerOf(award: BonusAwardIssuedData): Promise<LedgerEntry[]> {
    const { rows } = await pool.query<LedgerEntry>(
      `SELECT seq, kind, answers_seq AS "answersSeq" FROM engagement.ledger_entries WHERE award_id = $1 ORDER BY seq`,
      [award.award_id],
    );
    return rows;
  }
});

/** The ledger of an issue and its later entries; impossible entries are left out. */
function historyOf(awardId: string, steps: readonly Step[]): History {
  const award: BonusAwardIssuedData = {
    award_id: awardId,
    seq: 1,
    task_id: taskId,
    task_version: 1,
    occurrence: 'g1:once',
    platform: 'acme',
    organizer_id: 'organizer-1',
    user_id: `user-of-${awardId}`,
    platform_user_id: `account-of-${awardId}`,
    reward: { type: 'points', amount: '1' },
    reached_at: 1,
  };
  const ledger: LedgerEntry[] = [{ seq: 1, kind: 'issued', answersSeq: null }];
  const published: PublishedEntry[] = [{ kind: 'issued', award, reason: null, atMs: 1 }];
  const answers: History['answers'][number][] = [];
  for (const step of steps) {
    const reversal = ledger.find(({ kind }) => kind === 'reversed');
    if (step === 'reverse') {
      if (reversal) continue;
      const seq = ledger.length + 1;
      ledger.push({ seq, kind: 'reversed', answersSeq: null });
      published.push({ kind: 'reversed', award: { ...award, seq }, reason: 'mistake', atMs: seq });
      continue;
    }
    const result = step === 'confirm' ? 'confirmed' : 'rejected';
    const data: BonusAwardResultData = { award_id: awardId, seq: reversal?.seq ?? 1, result };
    const [outcome] = decideResults([data], new Map([[awardId, ledger]]));
    answers.push({ data, atMs: answers.length });
    if (outcome.kind === 'applied')
      ledger.push({ seq: outcome.entry.seq, kind: outcome.entry.kind, answersSeq: outcome.entry.answersSeq });
  }
  return { award, ledger, published, answers };
}
