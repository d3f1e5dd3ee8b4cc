import { Queryable } from '@podium/runtime/postgres';

/** The end of a partition after everything that an erasure published was acknowledged. */
export interface ErasurePosition {
  readonly topic: string;
  readonly partition: number;
  readonly end: string;
}

/** An erasure as it is stored: it names no user. */
export interface Erasure {
  readonly erasureId: string;
  readonly erasedAt: Date;
  /** When linkage applied it. */
  readonly requestedAt: Date;
  readonly requestedBy: string;
  /** How many links were deleted. */
  readonly links: number;
  /** By consumer group: when the group had passed all positions of its topic, ISO 8601. */
  readonly passed: Readonly<Record<string, string>>;
  /** When all groups had; null until then. */
  readonly completedAt: Date | null;
}

/** An erasure to store, digests in hex. */
export interface NewErasure extends Pick<Erasure, 'erasureId' | 'erasedAt' | 'requestedBy' | 'links'> {
  readonly subject: string;
  readonly userDigests: readonly string[];
  readonly linkPartitions: readonly number[];
  readonly outboxIds: readonly number[];
}

/** An erasure that some service may not have applied yet. */
export interface WaitingErasure extends Erasure {
  /** Whether the relay has deleted its outbox rows, which happens after the acknowledgement. */
  readonly published: boolean;
  readonly linkPartitions: readonly number[];
  readonly places: readonly ErasurePosition[] | null;
}

const columns = `
  erasure_id AS "erasureId", erased_at AS "erasedAt", requested_at AS "requestedAt", requested_by AS "requestedBy", links, passed,
  completed_at AS "completedAt"`;

/** Stores an erasure; returns false when it is stored already. */
export async function insertErasure(tx: Queryable, erasure: NewErasure): Promise<boolean> {
  const { rowCount } = await tx.query(
    `INSERT INTO linkage.erasures
       (erasure_id, subject, user_digests, erased_at, requested_by, links, link_partitions, outbox_ids)
     VALUES ($1, $2, $3::uuid[], $4, $5, $6, $7, $8) ON CONFLICT (erasure_id) DO NOTHING`,
    [
      erasure.erasureId,
      erasure.subject,
      erasure.userDigests,
      erasure.erasedAt,
      erasure.requestedBy,
      erasure.links,
      erasure.linkPartitions,
      erasure.outboxIds,
    ],
  );
  return rowCount === 1;
}

export async function readErasure(db: Queryable, erasureId: string): Promise<Erasure | null> {
  const { rows } = await db.query<Erasure>(`SELECT ${columns} FROM linkage.erasures WHERE erasure_id = $1`, [
    erasureId,
  ]);
  return rows[0] ?? null;
}

/** The erasure of the same subject that is not complete. */
export async function readIncomplete(tx: Queryable, subject: string): Promise<Erasure | null> {
  const { rows } = await tx.query<Erasure>(
    `SELECT ${columns} FROM linkage.erasures WHERE subject = $1 AND completed_at IS NULL`,
    [subject],
  );
  return rows[0] ?? null;
}

/** Which of these erasures are stored already. */
export async function readKnown(tx: Queryable, erasureIds: readonly string[]): Promise<Set<string>> {
  const { rows } = await tx.query<{ id: string }>(
    `SELECT erasure_id AS id FROM linkage.erasures WHERE erasure_id = ANY ($1::uuid[])`,
    [erasureIds],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Erasures that are not complete, oldest first, at most `limit` after one of them. */
export async function readWaiting(
  db: Queryable,
  after: Pick<Erasure, 'erasureId' | 'erasedAt'> | null,
  limit: number,
): Promise<WaitingErasure[]> {
  const { rows } = await db.query<WaitingErasure>(
    `SELECT ${columns}, link_partitions AS "linkPartitions", places,
       NOT EXISTS (SELECT 1 FROM linkage.outbox WHERE outbox.id = ANY (erasures.outbox_ids)) AS published
     FROM linkage.erasures
     WHERE completed_at IS NULL AND ($1::timestamptz IS NULL OR (erased_at, erasure_id) > ($1, $2::uuid))
     ORDER BY erased_at, erasure_id LIMIT $3`,
    [after?.erasedAt ?? null, after?.erasureId ?? null, limit],
  );
  return rows;
}

/** Stores the ends of an erasure's partitions, once. */
export async function saveEnds(db: Queryable, erasureId: string, places: readonly ErasurePosition[]): Promise<void> {
  await db.query(`UPDATE linkage.erasures SET places = $2 WHERE erasure_id = $1 AND places IS NULL`, [
    erasureId,
    JSON.stringify(places),
  ]);
}

/** Stores that groups have passed an erasure's ends now; after the last group, also that the erasure is complete. */
export async function savePassed(
  db: Queryable,
  erasureId: string,
  passed: { groups: readonly string[]; isLast: boolean },
): Promise<void> {
  await db.query(
    `UPDATE linkage.erasures SET
       passed = (SELECT coalesce(jsonb_object_agg(name, clock_timestamp()), '{}') FROM unnest($2::text[]) AS name) || passed,
       completed_at = CASE WHEN $3 THEN clock_timestamp() END
     WHERE erasure_id = $1 AND completed_at IS NULL`,
    [erasureId, passed.groups, passed.isLast],
  );
}
