import { Reward } from '@podium/messages';
import { Queryable } from '@podium/runtime/postgres';
import { LedgerEntry } from './ledger-entry';

/** Which awards to list; all given criteria hold. */
export interface AwardFilter {
  readonly organizers: 'all' | readonly string[];
  readonly platform?: string;
  readonly userId?: string;
  readonly taskId?: string;
  /** Only awards issued before the one of this number. */
  readonly before: number | null;
  readonly limit: number;
}

/** An award with its ledger. */
export interface AwardRow {
  readonly number: number;
  readonly award_id: string;
  readonly task_id: string;
  readonly task_version: number;
  readonly occurrence: string;
  readonly platform: string;
  readonly organizer_id: string;
  readonly user_id: string;
  readonly platform_user_id: string;
  readonly reward: Reward;
  readonly reached_at: number;
  readonly issued_at: Date;
  /** Oldest first. */
  readonly entries: readonly LedgerRow[];
}

/** An entry as Postgres makes JSON of it. */
export interface LedgerRow {
  readonly seq: number;
  readonly kind: LedgerEntry['kind'];
  readonly answers_seq: number | null;
  readonly reason: string | null;
  readonly at: string;
}

/** Awards with their ledgers, newest first. */
export async function listAwards(db: Queryable, filter: AwardFilter): Promise<AwardRow[]> {
  const { rows } = await db.query<AwardRow>(
    `SELECT awards.number, awards.award_id, task_id, task_version, occurrence, platform, organizer_id, user_id,
       platform_user_id, reward, reached_at, issued_at, ledger.entries
     FROM engagement.awards
     CROSS JOIN LATERAL (
       SELECT json_agg(json_build_object('seq', seq, 'kind', kind, 'answers_seq', answers_seq, 'reason', reason, 'at', at)
         ORDER BY seq) AS entries
       FROM engagement.ledger_entries WHERE ledger_entries.award_id = awards.award_id) AS ledger
     WHERE ($1::text[] IS NULL OR organizer_id = ANY($1)) AND ($2::text IS NULL OR platform = $2)
       AND ($3::text IS NULL OR user_id = $3) AND ($4::uuid IS NULL OR task_id = $4)
       AND ($5::bigint IS NULL OR awards.number < $5)
     ORDER BY awards.number DESC LIMIT $6`,
    [
      filter.organizers === 'all' ? null : filter.organizers,
      filter.platform ?? null,
      filter.userId ?? null,
      filter.taskId ?? null,
      filter.before,
      filter.limit,
    ],
  );
  return rows;
}
