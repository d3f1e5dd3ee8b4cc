import { randomUUID } from 'node:crypto';
import { BonusAwardIssuedData, BonusAwardResultData } from '@podium/messages';
import { createLog } from '@podium/runtime/log';
import { Registry } from '@podium/runtime/metrics';
import { Pool, createPool, inTransaction, queryable } from '@podium/runtime/postgres';
import { FreshDatabase, freshDatabase } from '@podium/testing';
import * as fc from 'fast-check';
import { taskOf } from '../../../test/task-findings';
import { decideResults } from '../../awards/award-results';
import { readPaidToOthers } from '../../awards/known-awards.store';
import { LedgerEntry } from '../../awards/ledger-entry';
import { rangeOfKey } from '../../awards/occurrence-range';
import { migrations, schema } from '../../migrations';
import { RestoreAwards } from './restore-awards';
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

const nothingAnswered = { added: 0, unknown: 0 };
const nothingTaken = { addedAwards: [], addedEntries: 0, contradictions: [], blocked: [], ...nothingAnswered };

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
        expect(await isPaidToOthers(history)).toBe(isPaid(history));
        expect(await leftOf(history)).toBe(100 - spentBy(history));
        expect(await restore(history)).toEqual(nothingTaken);
      }),
      { numRuns: 60 },
    );
  });

  it('knows the account of an award that the bonus engine refused to take back', async () => {
    const history = historyOf(`award-${number++}`, ['confirm', 'reverse', 'reject']);
    await restore(history);
    expect(await isPaidToOthers(history)).toBe(true);
    const open = historyOf(`award-${number++}`, ['confirm', 'reverse']);
    await restore(open);
    expect(await isPaidToOthers(open)).toBe(false);
  });

  it('takes results whatever texts and times the bonus engine has sent', async () => {
    const history = historyOf(`award-${number++}`, ['reject', 'reverse', 'confirm']);
    const [rejected, confirmed] = history.answers.map(({ data }) => data);
    const answers = [
      { data: { ...rejected, award_id: `\0${rejected.award_id}` }, atMs: 1 },
      { data: { ...rejected, reason: 'account\0closed' }, atMs: 1 },
      // Nanoseconds, beyond every date.
      { data: confirmed, atMs: 1_800_000_000_000_000_000 },
    ];
    expect(await restore({ ...history, answers })).toMatchObject({ added: 2, unknown: 1 });
    expect(await ledgerOf(history.award)).toEqual(history.ledger);
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
    expect(await restore(history)).toEqual(nothingTaken);
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

  describe('of an account that was paid to two users', () => {
    it.each<[string, (mine: PublishedEntry[], theirs: PublishedEntry[]) => PublishedEntry[][]]>([
      ['the reversal first', (mine, theirs) => [mine, theirs]],
      ['the other issue first', (mine, theirs) => [theirs, mine]],
      ['single entries, the other issue first', (mine, theirs) => [...theirs, ...mine].map((entry) => [entry])],
    ])('has each award as it was published last: %s', async (_name, partsOf) => {
      const { backup, mine, theirs } = paidToTwo({ mine: ['reverse'], theirs: [] });
      await write(backup, 1);
      expect(await restoreParts(partsOf(mine, theirs))).toMatchObject({ awards: 1, entries: 2, contradictions: [] });
      expect(await standing(mine, theirs)).toEqual(['2 reversed', '1 issued']);
      expect(await restoreParts(partsOf(mine, theirs))).toMatchObject({ awards: 0, entries: 0, contradictions: [] });
    });

    it.each<[string, (mine: PublishedEntry[], theirs: PublishedEntry[]) => PublishedEntry[][]]>([
      ['whole partitions', (mine, theirs) => [mine, theirs]],
      ['the other partition first', (mine, theirs) => [theirs, mine]],
      [
        'the second issue before the other reversal',
        (mine, theirs) => [mine.slice(0, 2), [theirs[0]], [mine[2]], [theirs[1]]],
      ],
    ])('has the first award again after the reversal of the second: %s', async (_name, partsOf) => {
      const { backup, mine, theirs } = paidToTwo({ mine: ['reverse', 'issue again'], theirs: ['reverse'] });
      await write(backup, 1);
      expect(await restoreParts(partsOf(mine, theirs))).toMatchObject({ awards: 1, entries: 4, contradictions: [] });
      expect(await standing(mine, theirs)).toEqual(['3 issued', '2 reversed']);
    });

    it('reports awards that have one account at once', async () => {
      const { backup, mine, theirs } = paidToTwo({ mine: ['reverse', 'issue again'], theirs: [] });
      await write(backup, 1);
      const { contradictions } = await restoreParts([theirs, mine.slice(0, 2), mine.slice(2)]);
      expect(contradictions).toEqual([`${theirs[0].award.award_id}/1`]);
    });
  });

  async function restoreParts(parts: readonly (readonly PublishedEntry[])[]) {
    const awards = new RestoreAwards(pool);
    for (const part of parts) await awards.take(part);
    return awards.finish();
  }

  /** Two users' histories with one account; entries are dated in the order in which they could happen. */
  function paidToTwo(steps: { mine: Step[]; theirs: Step[] }) {
    const [backup, other] = [steps.mine, steps.theirs].map((each) => historyOf(`award-${number++}`, each));
    const { task_id, platform_user_id } = backup.award;
    const [mine, theirs] = [backup, other].map(({ published }, at) =>
      published.map((entry) => ({
        ...entry,
        award: { ...entry.award, task_id, platform_user_id },
        atMs: 2 * entry.atMs + at,
      })),
    );
    return { backup, mine, theirs };
  }

  /** The newest ledger entry of each history's award; the row must agree. */
  function standing(...histories: PublishedEntry[][]): Promise<string[]> {
    return Promise.all(
      histories.map(async ([{ award }]) => {
        const { seq, kind } = (await ledgerOf(award)).at(-1)!;
        expect(await awardOf(award)).toMatchObject({ reversed: kind === 'reversed' });
        return `${seq} ${kind}`;
      }),
    );
  }

  async function restore({ published, answers }: History) {
    const taken = await inTransaction(pool, (tx) => takePublishedEntries(tx, published));
    return { ...taken, ...(await inTransaction(pool, (tx) => takeAnswers(tx, answers))) };
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

  /** Whether another user of the account is told that it was paid. */
  async function isPaidToOthers({ published }: History): Promise<boolean> {
    const { task_id: definitionId, platform, platform_user_id: account, occurrence } = published.at(-1)!.award;
    const finding = { task: taskOf({}, { definitionId }), user: { userRef: 0, platform, userId: 'another user' } };
    const range = rangeOfKey(occurrence);
    return (await readPaidToOthers(queryable(pool), [{ finding, account, range }])).length > 0;
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

/** Whether the account of the newest issue was paid: what is reversed is not, unless the bonus engine has refused that. */
function isPaid({ ledger, published }: History): boolean {
  const { kind, award } = published[published.length - 1];
  return kind === 'issued' || ledger.some((entry) => entry.kind === 'rejected' && entry.answersSeq === award.seq);
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
