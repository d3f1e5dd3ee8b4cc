import { appendOutbox } from '@podium/runtime/outbox';
import { Queryable } from '@podium/runtime/postgres';
import { schema } from '../migrations/schema';
import { Link, linkRecord } from './link';
import { linkColumns } from './link.store';

/** A link whose last record is acknowledged, without a position yet. */
export interface UnplacedLink {
  readonly linkId: string;
  readonly platform: string;
  readonly sub: string;
  readonly outboxId: number;
}

/** How many links have a record that may not be known to every service yet, and how many of them have its position. */
export interface PendingCounts {
  readonly pending: number;
  readonly placed: number;
}

/** A position after a link's record: the end of its partition, read after the acknowledgement. */
export interface BarrierPosition {
  readonly linkId: string;
  readonly outboxId: number;
  readonly partition: number;
  readonly end: bigint;
}

/** A settled link, and since when its last record was pending. */
export interface SettledLink extends Link {
  readonly pendingSince: Date;
}

/** Counts links with a barrier. */
export async function countPending(db: Queryable): Promise<PendingCounts> {
  const { rows } = await db.query<PendingCounts>(
    `SELECT count(*)::integer AS pending, count(barrier_partition)::integer AS placed
     FROM linkage.links WHERE barrier_outbox_id IS NOT NULL`,
  );
  return rows[0];
}

/**
 * Links whose record is acknowledged and has no position, at most `limit`, oldest first: the relay deletes an outbox row after the
 * acknowledgement. Links that have a position and wait for their partition take nothing from the limit.
 */
export async function readUnplaced(db: Queryable, limit: number): Promise<UnplacedLink[]> {
  const { rows } = await db.query<UnplacedLink>(
    `SELECT link_id AS "linkId", platform, sub, barrier_outbox_id AS "outboxId" FROM linkage.links l
     WHERE barrier_outbox_id IS NOT NULL AND barrier_partition IS NULL
       AND NOT EXISTS (SELECT FROM linkage.outbox o WHERE o.id = l.barrier_outbox_id)
     ORDER BY barrier_outbox_id LIMIT $1`,
    [limit],
  );
  return rows;
}

/** Stores the positions of records; a link that has a newer record is left alone. */
export async function savePositions(db: Queryable, positions: readonly BarrierPosition[]): Promise<void> {
  await db.query(
    `UPDATE linkage.links l SET barrier_partition = p.partition, barrier_offset = p.offset
     FROM unnest($1::uuid[], $2::bigint[], $3::integer[], $4::bigint[]) AS p (link_id, outbox_id, partition, "offset")
     WHERE l.link_id = p.link_id AND l.barrier_outbox_id = p.outbox_id AND l.barrier_offset IS NULL`,
    [
      positions.map((each) => each.linkId),
      positions.map((each) => each.outboxId),
      positions.map((each) => each.partition),
      positions.map((each) => String(each.end)),
    ],
  );
}

/**
 * Settles links whose position every group has passed: a new link gets its `ready_at` and is published as ready, an
 * unlinking is confirmed; at most `limit`, the oldest first. Links that another instance has locked are left to it.
 */
export async function settlePassed(tx: Queryable, committed: readonly bigint[], limit: number): Promise<SettledLink[]> {
  const { rows } = await tx.query<SettledLink>(
    `WITH passed AS (
       SELECT l.link_id FROM linkage.links l
       JOIN unnest($1::integer[], $2::bigint[]) AS c (partition, "offset") ON c.partition = l.barrier_partition
       WHERE l.barrier_outbox_id IS NOT NULL AND l.barrier_offset <= c.offset
       ORDER BY l.barrier_outbox_id LIMIT $3
       FOR UPDATE OF l SKIP LOCKED)
     UPDATE linkage.links SET
       ready_at = CASE WHEN state = 'unlinked' THEN ready_at ELSE clock_timestamp() END,
       unlinked_at = CASE WHEN state = 'unlinked' THEN clock_timestamp() END,
       state = CASE WHEN state = 'linking' THEN 'ready' ELSE state END,
       barrier_outbox_id = NULL, barrier_partition = NULL, barrier_offset = NULL, version = version + 1
     WHERE link_id IN (SELECT link_id FROM passed)
     RETURNING ${linkColumns}, greatest(barrier_at, linked_at) AS "pendingSince"`,
    [committed.map((_, partition) => partition), committed.map(String), limit],
  );
  const ready = rows.filter((link) => link.state === 'ready');
  await appendOutbox(tx, schema, ready.map(linkRecord));
  return rows;
}
