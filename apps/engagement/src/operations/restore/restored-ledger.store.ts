import { awardColumns } from '../../awards/award-columns';
import { BonusAwardIssuedData } from '@podium/messages';
import { Queryable } from '@podium/runtime/postgres';
import { LedgerEntry } from '../../awards/ledger-entry';

/** A ledger entry as it was published to the bonus engine. */
export interface PublishedEntry {
  readonly kind: 'issued' | 'reversed';
  readonly award: BonusAwardIssuedData;
  /** Why it was reversed. */
  readonly reason: string | null;
  /** When it was entered, Unix milliseconds. */
  readonly atMs: number;
}

/** A result to add under its number. */
export interface RestoredAnswer extends LedgerEntry {
  readonly awardId: string;
  readonly reason: string | null;
  readonly atMs: number;
}

/**
 * Marks awards as reversed whose published reversals the ledger lacks, before anything is added: another user of the account may
 * have been paid since.
 */
export async function markReversed(tx: Queryable, entries: readonly PublishedEntry[]): Promise<void> {
  const reversals = entries.filter(({ kind }) => kind === 'reversed');
  await tx.query(
    `UPDATE engagement.awards AS known SET reversed = true
     WHERE NOT reversed AND EXISTS (
       SELECT FROM unnest($1::text[], $2::int[]) AS given (award_id, seq)
       WHERE given.award_id = known.award_id AND NOT ${hasEntrySince})`,
    [reversals.map(({ award }) => award.award_id), reversals.map(({ award }) => award.seq)],
  );
}

/**
 * Adds missing awards as their newest entries have them, in the given order, and returns their ids. An issue whose account another
 * award has is left out.
 */
export async function addMissingAwards(tx: Queryable, newest: readonly PublishedEntry[]): Promise<Set<string>> {
  const { rows } = await tx.query<{ award_id: string }>(
    `INSERT INTO engagement.awards (award_id, task_id, task_version, occurrence, platform, organizer_id, user_id,
       platform_user_id, reward, reached_at, issued_at, reversed, is_counted)
     SELECT award_id, task_id, task_version, occurrence, platform, organizer_id, user_id, platform_user_id, reward,
       reached_at, issued_at, kind = 'reversed', false
     FROM ${givenAwards} ORDER BY number
     ON CONFLICT DO NOTHING
     RETURNING award_id`,
    columnsOf(newest),
  );
  return new Set(rows.map((row) => row.award_id));
}

/**
 * Brings reversed awards to their newest entries, where the ledger lacks those: they were issued again since. An award whose account
 * another award has stays as it is. The entries have at most one award per account.
 */
export async function issueAgain(tx: Queryable, newest: readonly PublishedEntry[]): Promise<void> {
  await tx.query(
    `UPDATE engagement.awards AS known SET reversed = given.kind = 'reversed', task_version = given.task_version,
       user_id = given.user_id, platform_user_id = given.platform_user_id, reward = given.reward,
       reached_at = given.reached_at, owed_at = NULL, issued_at = given.issued_at, is_counted = false
     FROM ${givenAwards}
     WHERE known.award_id = given.award_id AND known.reversed AND NOT ${hasEntrySince} AND (
       given.kind = 'reversed' OR NOT EXISTS (
         SELECT FROM engagement.awards AS holder
         WHERE NOT holder.reversed AND holder.task_id = given.task_id AND holder.platform = given.platform
           AND holder.platform_user_id = given.platform_user_id AND holder.occurrence = given.occurrence))`,
    columnsOf(newest),
  );
}

/** The awards of the given issues that could not be entered, because another award has their account. */
export async function readBlocked(tx: Queryable, newest: readonly PublishedEntry[]): Promise<Set<string>> {
  const { rows } = await tx.query<{ award_id: string }>(
    `SELECT given.award_id
     FROM ${givenAwards}
     LEFT JOIN engagement.awards AS known ON known.award_id = given.award_id
     WHERE given.kind = 'issued' AND (known.award_id IS NULL OR (known.reversed AND NOT ${hasEntrySince}))`,
    columnsOf(newest),
  );
  return new Set(rows.map((row) => row.award_id));
}

/** Adds missing entries of existing awards and returns them. */
export async function addMissingEntries(tx: Queryable, entries: readonly PublishedEntry[]): Promise<AddedEntry[]> {
  const { rows } = await tx.query<{ award_id: string; seq: number; kind: AddedEntry['kind'] }>(
    `INSERT INTO engagement.ledger_entries (award_id, seq, kind, reason, at, reversed_version, reversed_reward,
         reversed_reached_at, reversed_account)
     SELECT award_id, seq, kind, reason, issued_at, taken.*
     FROM ${givenAwards}
     CROSS JOIN LATERAL (
       SELECT task_version, reward, reached_at, engagement.pseudonym(platform, platform_user_id) WHERE kind = 'reversed'
       UNION ALL SELECT NULL, NULL, NULL, NULL WHERE kind <> 'reversed') AS taken
     WHERE EXISTS (SELECT 1 FROM engagement.awards WHERE awards.award_id = given.award_id)
     ORDER BY number
     ON CONFLICT (award_id, seq) DO NOTHING
     RETURNING award_id, seq, kind`,
    columnsOf(entries),
  );
  return rows.map((row) => ({ awardId: row.award_id, seq: row.seq, kind: row.kind }));
}

/** An entry that the ledger did not have. */
export interface AddedEntry {
  readonly awardId: string;
  readonly seq: number;
  readonly kind: PublishedEntry['kind'];
}

/**
 * The published entries that differ from the ledger, as `<award id>/<seq>`; pseudonyms of erased users are no difference. What
 * was reversed and issued again is compared with the reversal of that issue.
 */
export async function readContradictions(tx: Queryable, entries: readonly PublishedEntry[]): Promise<string[]> {
  const { rows } = await tx.query<{ name: string }>(
    `SELECT given.award_id || '/' || seq AS name
     FROM ${givenAwards}
     LEFT JOIN engagement.awards AS known USING (award_id)
     LEFT JOIN engagement.ledger_entries AS entry USING (award_id, seq)
     LEFT JOIN LATERAL (
       SELECT later.reversed_reward AS reward, later.reversed_account AS account FROM engagement.ledger_entries AS later
       WHERE later.award_id = given.award_id AND later.kind = 'reversed' AND later.seq >= given.seq
       ORDER BY later.seq LIMIT 1) AS undone ON true
     WHERE known.award_id IS NULL OR entry.kind IS DISTINCT FROM given.kind
       OR (known.task_id, known.occurrence, known.organizer_id, coalesce(undone.reward, known.reward))
         <> (given.task_id, given.occurrence, given.organizer_id, given.reward)
       OR known.user_id NOT IN (given.user_id, engagement.pseudonym(given.platform, given.user_id))
       OR coalesce(undone.account, known.platform_user_id) NOT IN (
         given.platform_user_id, engagement.pseudonym(given.platform, given.platform_user_id))`,
    columnsOf(entries),
  );
  return rows.map(({ name }) => name);
}

/** Adds results under the given numbers; the caller has locked the awards. */
export async function addAnswers(tx: Queryable, answers: readonly RestoredAnswer[]): Promise<void> {
  await tx.query(
    `INSERT INTO engagement.ledger_entries (award_id, seq, kind, answers_seq, reason, at)
     SELECT * FROM unnest($1::text[], $2::int[], $3::text[], $4::int[], $5::text[], $6::timestamptz[])`,
    [
      answers.map(({ awardId }) => awardId),
      answers.map(({ seq }) => seq),
      answers.map(({ kind }) => kind),
      answers.map(({ answersSeq }) => answersSeq),
      answers.map(({ reason }) => reason),
      answers.map(({ atMs }) => new Date(atMs)),
    ],
  );
}

/** The given versions of definitions that do not exist, as `<id> version <version>`. */
export async function readMissingVersions(
  db: Queryable,
  versions: readonly { readonly definitionId: string; readonly version: number }[],
): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(
    `SELECT definition_id || ' version ' || version AS name
     FROM unnest($1::uuid[], $2::int[]) AS given (definition_id, version)
     WHERE NOT EXISTS (
       SELECT 1 FROM engagement.definitions AS known
       WHERE known.definition_id = given.definition_id AND known.version = given.version)
     ORDER BY name`,
    [versions.map(({ definitionId }) => definitionId), versions.map(({ version }) => version)],
  );
  return rows.map(({ name }) => name);
}

/** Lets what is left of budgets be computed from the ledger when they are used next: the rows of a day may be missing. */
export async function recountBudgets(tx: Queryable, taskIds: readonly string[]): Promise<void> {
  await tx.query(`UPDATE engagement.budgets SET version = -abs(version) WHERE task_id = ANY ($1::uuid[])`, [taskIds]);
}

/** Whether the ledger has the given entry of an award, or a later issue or reversal of it. */
const hasEntrySince = `EXISTS (
  SELECT FROM engagement.ledger_entries AS entry
  WHERE entry.award_id = given.award_id AND entry.seq >= given.seq AND entry.kind IN ('issued', 'reversed'))`;

const givenAwards = `
  unnest($1::text[], $2::uuid[], $3::int[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::jsonb[],
    $10::bigint[], $11::timestamptz[], $12::int[], $13::text[], $14::text[]) WITH ORDINALITY
  AS given (award_id, task_id, task_version, occurrence, platform, organizer_id, user_id, platform_user_id, reward,
    reached_at, issued_at, seq, kind, reason, number)`;

function columnsOf(entries: readonly PublishedEntry[]): unknown[] {
  const awards = entries.map(({ award }) => award);
  return [
    ...awardColumns(awards),
    entries.map(({ atMs }) => new Date(atMs)),
    awards.map(({ seq }) => seq),
    entries.map(({ kind }) => kind),
    entries.map(({ reason }) => reason),
  ];
}
