import { Queryable } from '@podium/runtime/postgres';

/** A user of the service, seen through one platform. */
export interface UserKey {
  readonly platform: string;
  readonly userId: string;
}

/** Where a partition ended after everything that an erasure published was acknowledged. */
export interface ErasurePlace {
  readonly topic: string;
  readonly partition: number;
  readonly end: string;
}

/** An erasure as it is kept: it names nobody. */
export interface Erasure {
  readonly erasureId: string;
  readonly erasedAt: Date;
  /** When it was done here. */
  readonly requestedAt: Date;
  readonly requestedBy: string;
  /** How many links went. */
  readonly links: number;
  /** By consumer group: when it had passed all places of its topic, ISO 8601. */
  readonly passed: Readonly<Record<string, string>>;
  /** When all groups had; null until then. */
  readonly completedAt: Date | null;
}

/** An erasure to keep, digests in hex. */
export interface NewErasure extends Pick<Erasure, 'erasureId' | 'erasedAt' | 'requestedBy' | 'links'> {
  readonly subject: string;
  readonly userDigests: readonly string[];
  readonly linkPartitions: readonly number[];
  readonly outboxIds: readonly number[];
}

/** An erasure that is not known to be done everywhere. */
export interface WaitingErasure extends Erasure {
  /** Whether the relay has deleted its outbox rows, which it does after the acknowledgement. */
  readonly published: boolean;
  readonly linkPartitions: readonly number[];
  readonly places: readonly ErasurePlace[] | null;
}

const columns = `
  erasure_id AS "erasureId", erased_at AS "erasedAt", requested_at AS "requestedAt", requested_by AS "requestedBy", links, passed,
  completed_at AS "completedAt"`;

/** Any fixed number: whoever links shares this lock, whoever erases takes it alone. */
const linkingLock = 7_243_002;

/** Holds erasures off until the transaction ends. Taken before any row, by whoever makes a link. */
export async function shareLinking(tx: Queryable): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock_shared($1)', [linkingLock]);
}

/** Holds new links off until the transaction ends: an account's last record is that of the erasure. */
export async function holdLinking(tx: Queryable): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock($1)', [linkingLock]);
}

/** The whole second after now: every link that is there was made before it. */
export async function nextSecond(tx: Queryable): Promise<Date> {
  const { rows } = await tx.query<{ at: Date }>(
    `SELECT date_trunc('second', clock_timestamp()) + interval '1 second' AS at`,
  );
  return rows[0].at;
}

/** Keeps an erasure; false when it is known. */
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

/** The erasure of the same subject that is not done yet. */
export async function readUnderWay(tx: Queryable, subject: string): Promise<Erasure | null> {
  const { rows } = await tx.query<Erasure>(
    `SELECT ${columns} FROM linkage.erasures WHERE subject = $1 AND completed_at IS NULL`,
    [subject],
  );
  return rows[0] ?? null;
}

/** Of these erasures the ones that are kept. */
export async function readKnown(tx: Queryable, erasureIds: readonly string[]): Promise<Set<string>> {
  const { rows } = await tx.query<{ id: string }>(
    `SELECT erasure_id AS id FROM linkage.erasures WHERE erasure_id = ANY ($1::uuid[])`,
    [erasureIds],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Whether a user, by digest, is being erased, or was erased at or after a time. */
export async function isErasedSince(tx: Queryable, userDigest: string, since: Date): Promise<boolean> {
  const { rowCount } = await tx.query(
    `SELECT 1 FROM linkage.erasures
     WHERE user_digests @> ARRAY[$1::uuid] AND (completed_at IS NULL OR erased_at > $2) LIMIT 1`,
    [userDigest, since],
  );
  return rowCount !== 0;
}

/** Erasures that are not done everywhere, oldest first. */
export async function readWaiting(db: Queryable, limit: number): Promise<WaitingErasure[]> {
  const { rows } = await db.query<WaitingErasure>(
    `SELECT ${columns}, link_partitions AS "linkPartitions", places,
       NOT EXISTS (SELECT 1 FROM linkage.outbox WHERE outbox.id = ANY (erasures.outbox_ids)) AS published
     FROM linkage.erasures WHERE completed_at IS NULL ORDER BY erased_at LIMIT $1`,
    [limit],
  );
  return rows;
}

/** Notes the places of an erasure; they stay as they were noted first. */
export async function savePlaces(db: Queryable, erasureId: string, places: readonly ErasurePlace[]): Promise<void> {
  await db.query(`UPDATE linkage.erasures SET places = $2 WHERE erasure_id = $1 AND places IS NULL`, [
    erasureId,
    JSON.stringify(places),
  ]);
}

/** Notes that groups have passed an erasure's places now, and with the last of them that it is done. */
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
