import { randomUUID } from 'node:crypto';
import { BonusAwardIssuedData, BonusAwardResultData } from '@podium/messages';
import { createLog } from '@podium/runtime/log';
import { Registry } from '@podium/runtime/metrics';
import { Pool, createPool, inTransaction } from '@podium/runtime/postgres';
import { FreshDatabase, freshDatabase } from '@podium/testing';
import * as fc from 'fast-check';
import { decideResults } from '../../awards/award-results';
import { LedgerEntry } from '../../awards/ledger-entry';
import { migrations, schema } from '../../migrations';
import { takeAnswers, takePublishedEntries } from './restore-ledger';
import { PublishedEntry } from './restored-ledger.store';

/** What happened to an award, in its order. */
type Step = 'reverse' | 'issue again' | 'confirm' | 'reject';

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
    const steps = fc.array(fc.constantFrom<Step>('reverse', 'issue again', 'confirm', 'reject'), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(steps, fc.nat({ max: 9 }), async (given, kept) => {
        const history = historyOf(`award-${number++}`, given);
        await write(history, kept);
        await openBudget(history, kept);
        await restore(history);
        expect(await ledgerOf(history.award)).toEqual(history.ledger);
        expect(await awardOf(history.award)).toEqual(newestOf(history.published));
        expect(await leftOf(history)).toBe(100 - spentBy(history));
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

  it('gives an account to the user who was paid last', async () => {
    const [mine, theirs] = ['mine', 'theirs'].map((name) =>
      historyOf(`award-${name}`, name === 'mine' ? ['reverse'] : []),
    );
    const { task_id, platform_user_id } = mine.award;
    const [taken] = theirs.published;
    const paid = { ...taken, award: { ...taken.award, task_id, platform_user_id } };
    await write(mine, 1);
    const { contradictions, addedEntries } = await inTransaction(pool, (tx) =>
      takePublishedEntries(tx, [...mine.published, paid]),
    );
    expect({ contradictions, addedEntries }).toEqual({ contradictions: [], addedEntries: 2 });
  });

  async function restore({ published, answers }: History) {
    const taken = await inTransaction(pool, (tx) => takePublishedEntries(tx, published));
    const { added } = await inTransaction(pool, (tx) => takeAnswers(tx, answers));
    return { ...taken, added };
  }

  /** Enters the first entries of a history, as a backup has them. */
  async function write({ ledger, published }: History, kept: number): Promise<void> {
    const known = published.filter(({ award }) => award.seq <= kept);
    if (known.length === 0) return;
    const { award, kind } = known[known.length - 1];
    await pool.query(
      `INSERT INTO engagement.awards (award_id, task_id, task_version, occurrence, platform, organizer_id, user_id,
         platform_user_id, reward, reached_at, issued_at, reversed) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, now(), $11)`,
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
        kind === 'reversed',
      ],
    );
    for (const entry of ledger.slice(0, kept))
      await pool.query(
        `INSERT INTO engagement.ledger_entries (award_id, seq, kind, answers_seq, at, reversed_reward, reversed_account)
         VALUES ($1, $2, $3, $4, now(), $5, engagement.pseudonym('acme', $6))`,
        [award.award_id, entry.seq, entry.kind, entry.answersSeq, ...takenBackBy(entry, published)],
      );
  }

  /** A budget of 100 units of which the entries of the backup took theirs. */
  async function openBudget(history: History, kept: number): Promise<void> {
    await pool.query(
      `INSERT INTO engagement.budget_shards (task_id, day, shard, available) VALUES ($1, '-infinity', 0, $2)`,
      [history.award.task_id, 100 - spentBy({ ...history, ledger: history.ledger.slice(0, kept) })],
    );
  }

  async function leftOf({ award }: History): Promise<number> {
    const { rows } = await pool.query<{ left: string }>(
      `SELECT sum(available)::text AS left FROM engagement.budget_shards WHERE task_id = $1`,
      [award.task_id],
    );
    return Number(rows[0].left);
  }

  async function ledgerOf(award: BonusAwardIssuedData): Promise<LedgerEntry[]> {
    const { rows } = await pool.query<LedgerEntry>(
      `SELECT seq, kind, answers_seq AS "answersSeq" FROM engagement.ledger_entries WHERE award_id = $1 ORDER BY seq`,
      [award.award_id],
    );
    return rows;
  }

  /** Which entry the award's row shows. */
  async function awardOf(award: BonusAwardIssuedData): Promise<object> {
    const { rows } = await pool.query<object>(
      `SELECT reversed, reward, platform_user_id AS account FROM engagement.awards WHERE award_id = $1`,
      [award.award_id],
    );
    return rows[0];
  }
});

function newestOf(published: readonly PublishedEntry[]): object {
  const { kind, award } = published[published.length - 1];
  return { reversed: kind === 'reversed', reward: award.reward, account: award.platform_user_id };
}

/** The reward and account that an entry takes back, if it is a reversal. */
function takenBackBy({ seq, kind }: LedgerEntry, published: readonly PublishedEntry[]): [string | null, string | null] {
  const entry = published.find(({ award }) => award.seq === seq);
  if (kind !== 'reversed' || !entry) return [null, null];
  return [JSON.stringify(entry.award.reward), entry.award.platform_user_id];
}

/** Units of all issues that were neither rejected nor reversed with a confirmation. */
function spentBy({ ledger, published }: History): number {
  const isAnswered = (seq: number | undefined, kind: LedgerEntry['kind']): boolean =>
    ledger.some((entry) => entry.kind === kind && entry.answersSeq === seq);
  return ledger
    .filter(({ kind }) => kind === 'issued')
    .filter(({ seq }) => {
      const reversal = ledger.find((entry) => entry.kind === 'reversed' && entry.seq > seq);
      return !isAnswered(seq, 'rejected') && !isAnswered(reversal?.seq, 'confirmed');
    })
    .reduce((sum, { seq }) => sum + Number(published.find(({ award }) => award.seq === seq)?.award.reward.amount), 0);
}

/** The ledger of an issue and its later entries; impossible entries are left out. Each issue has its own reward and account. */
function historyOf(awardId: string, steps: readonly Step[]): History {
  const first: BonusAwardIssuedData = {
    award_id: awardId,
    seq: 1,
    task_id: randomUUID(),
    task_version: 1,
    occurrence: 'g1:once',
    platform: 'acme',
    organizer_id: 'organizer-1',
    user_id: `user-of-${awardId}`,
    platform_user_id: `account-1-of-${awardId}`,
    reward: { type: 'points', amount: '1' },
    reached_at: 1,
  };
  const ledger: LedgerEntry[] = [{ seq: 1, kind: 'issued', answersSeq: null }];
  const published: PublishedEntry[] = [{ kind: 'issued', award: first, reason: null, atMs: 1 }];
  const answers: History['answers'][number][] = [];
  for (const step of steps) {
    const seq = ledger.length + 1;
    const { kind: newest, award } = published[published.length - 1];
    if (step === 'reverse' || step === 'issue again') {
      const kind = step === 'reverse' ? 'reversed' : 'issued';
      if (kind === newest) continue;
      const changes =
        kind === 'issued'
          ? { platform_user_id: `account-${seq}-of-${awardId}`, reward: { type: 'points', amount: String(seq) } }
          : {};
      ledger.push({ seq, kind, answersSeq: null });
      published.push({
        ...{ kind, award: { ...award, seq, ...changes }, atMs: seq },
        reason: kind === 'reversed' ? 'mistake' : null,
      });
      continue;
    }
    const result = step === 'confirm' ? 'confirmed' : 'rejected';
    const data: BonusAwardResultData = { award_id: awardId, seq: award.seq, result };
    const [outcome] = decideResults([data], new Map([[awardId, ledger]]));
    answers.push({ data, atMs: answers.length });
    if (outcome.kind === 'applied')
      ledger.push({ seq: outcome.entry.seq, kind: outcome.entry.kind, answersSeq: outcome.entry.answersSeq });
  }
  return { award: first, ledger, published, answers };
}
