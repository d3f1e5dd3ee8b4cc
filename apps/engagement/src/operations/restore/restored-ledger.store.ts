import { BonusAwardIssuedData } from '@podium/messages';
import { Queryable } from '@podium/runtime/postgres';
import { LedgerEntry } from '../../awards/award-results';

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

/** Adds missing awards in the given order and returns their ids. */
export async function addMissingAwards(tx: Queryable, entries: readonly PublishedEntry[]): Promise<Set<string>> {
  const { rows } = await tx.query<{ award_id: string }>(
    `INSERT INTO engagement.awards (award_id, task_id, task_version, occurrence, platform, organizer_id, user_id,
       platform_user_id, reward, reached_at, issued_at)
     SELECT award_id, task_id, task_version, occurrence, platform, organizer_id, user_id, platform_user_id, reward,
       reached_at, issued_at
     FROM ${givenAwards} ORDER BY number
     ON CONFLICT DO NOTHING
     RETURNING award_id`,
    columnsOf(entries),
  );
  return new Set(rows.map((row) => row.award_id));
}

/** Adds missing entries of existing awards and returns how many. */
export async function addMissingEntries(tx: Queryable, entries: readonly PublishedEntry[]): Promise<number> {
  const { rowCount } = await tx.query(
    `INSERT INTO engagement.ledger_entries (award_id, seq, kind, reason, at)
     SELECT award_id, seq, kind, reason, at
     FROM unnest($1::text[], $2::int[], $3::text[], $4::text[], $5::timestamptz[]) AS given (award_id, seq, kind, reason, at)
     WHERE EXISTS (SELECT 1 FROM engagement.awards WHERE awards.award_id = given.award_id)
     ON CONFLICT (award_id, seq) DO NOTHING`,
    [
      entries.map(({ award }) => award.award_id),
      entries.map(({ award }) => award.seq),
      entries.map(({ kind }) => kind),
      entries.map(({ reason }) => reason),
      entries.map(({ atMs }) => new Date(atMs)),
    ],
  );
  return rowCount ?? 0;
}

/** The published entries that differ from the ledger, as `<award id>/<seq>`; pseudonyms of erased users are no difference. */
export async function readContradictions(tx: Queryable, entries: readonly PublishedEntry[]): Promise<string[]> {
  const { rows } = await tx.query<{ name: string }>(
    `SELECT given.award_id || '/' || seq AS name
     FROM ${givenAwards}
     LEFT JOIN engagement.awards AS known USING (award_id)
     LEFT JOIN engagement.ledger_entries AS entry USING (award_id, seq)
     WHERE known.award_id IS NULL OR entry.kind IS DISTINCT FROM given.kind
       OR (known.task_id, known.occurrence, known.organizer_id, known.reward)
         <> (given.task_id, given.occurrence, given.organizer_id, given.reward)
       OR known.user_id NOT IN (given.user_id, engagement.pseudonym(given.platform, given.user_id))
       OR known.platform_user_id NOT IN (
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
  versions: readonly { definitionId: string; version: number }[],
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

const givenAwards = `
  unnest($1::text[], $2::uuid[], $3::int[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::jsonb[],
    $10::bigint[], $11::timestamptz[], $12::int[], $13::text[]) WITH ORDINALITY
  AS given (award_id, task_id, task_version, occurrence, platform, organizer_id, user_id, platform_user_id, reward,
    reached_at, issued_at, seq, kind, number)`;

function columnsOf(entries: readonly PublishedEntry[]): unknown[] {
  const column = <T>(read: (award: BonusAwardIssuedData) => T): T[] => entries.map(({ award }) => read(award));
  return [
    column((award) => award.award_id),
    column((award) => award.task_id),
    column((award) => award.task_version),
    column((award) => award.occurrence),
    column((award) => award.platform),
    column((award) => award.organizer_id),
    column((award) => award.user_id),
    column((award) => award.platform_user_id),
    column((award) => JSON.stringify(award.reward)),
    column((award) => award.reached_at),
    entries.map(({ atMs }) => new Date(atMs)),
    column((award) => award.seq),
    entries.map(({ kind }) => kind),
  ];
}
