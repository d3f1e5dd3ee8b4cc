import { Queryable } from '@podium/runtime/postgres';
import { appendAudit } from '../../definitions/definition-audit.store';
import { noteAudited } from '../../definitions/definition-records.store';

/** The kind of a replay: `rebuild` first deletes what is derived from the events, `reread` deletes nothing. */
export type ReplayKind = 'rebuild' | 'reread';

/** A partition's part in a replay. */
export interface ReplayPartition {
  readonly partition: number;
  readonly fromOffset: bigint;
  /** The position before the replay, where it ends. */
  readonly untilOffset: bigint;
}

/** A replay and its progress. */
export interface Replay {
  readonly replay: number;
  readonly kind: ReplayKind;
  readonly topic: string;
  readonly orderedBy: string;
  readonly beganAt: Date;
  readonly finishedAt: Date | null;
  /** Records to re-read, and those that remain. */
  readonly records: number;
  readonly remaining: number;
}

/** The number of the replay whose positions are in force; 0 before the first. */
export async function readReplayNumber(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ replay: number | null }>(`SELECT max(replay) AS replay FROM engagement.replays`);
  return Number(rows[0].replay ?? 0);
}

/** Stores a replay and sets the positions of its partitions. The caller holds the epoch. */
export async function insertReplay(
  tx: Queryable,
  order: { kind: ReplayKind; topic: string; orderedBy: string; partitions: readonly ReplayPartition[] },
): Promise<number> {
  const { rows } = await tx.query<{ replay: number }>(
    `INSERT INTO engagement.replays (kind, topic, ordered_by) VALUES ($1, $2, $3) RETURNING replay`,
    [order.kind, order.topic, order.orderedBy],
  );
  const [{ replay }] = rows;
  await tx.query(
    `WITH part AS (
       INSERT INTO engagement.replay_partitions (replay, partition, from_offset, until_offset)
       SELECT $1, * FROM unnest($2::int[], $3::bigint[], $4::bigint[])
       RETURNING partition, from_offset)
     UPDATE engagement.positions SET next_offset = part.from_offset
     FROM part WHERE positions.topic = $5 AND positions.partition = part.partition`,
    [
      replay,
      order.partitions.map(({ partition }) => partition),
      order.partitions.map(({ fromOffset }) => String(fromOffset)),
      order.partitions.map(({ untilOffset }) => String(untilOffset)),
      order.topic,
    ],
  );
  return Number(replay);
}

/** Next offsets of a topic by partition; partitions that were never read are missing. */
export async function readPositions(db: Queryable, topic: string): Promise<Map<number, bigint>> {
  const { rows } = await db.query<{ partition: number; next_offset: string }>(
    `SELECT partition, next_offset::text FROM engagement.positions WHERE topic = $1`,
    [topic],
  );
  return new Map(rows.map((row) => [row.partition, BigInt(row.next_offset)]));
}

/** Whether a replay is unfinished although all its partitions have reached their end. */
export async function isReplayDue(db: Queryable): Promise<boolean> {
  const { rowCount } = await db.query(`SELECT 1 FROM engagement.replays WHERE ${dueSql} LIMIT 1`);
  return rowCount !== 0;
}

/** Finishes the replays whose partitions have reached their end, and returns their numbers. */
export async function finishReplays(tx: Queryable): Promise<number[]> {
  const { rows } = await tx.query<{ replay: number }>(
    `UPDATE engagement.replays SET finished_at = now() WHERE ${dueSql} RETURNING replay`,
  );
  return rows.map(({ replay }) => Number(replay));
}

const dueSql = `finished_at IS NULL AND NOT EXISTS (
  SELECT 1 FROM engagement.replay_partitions AS part
  LEFT JOIN engagement.positions ON positions.topic = replays.topic AND positions.partition = part.partition
  WHERE part.replay = replays.replay AND coalesce(positions.next_offset, 0) < part.until_offset)`;

/** Replays, the newest first. */
export async function listReplays(db: Queryable, limit: number): Promise<Replay[]> {
  const { rows } = await db.query<{
    replay: string;
    kind: ReplayKind;
    topic: string;
    ordered_by: string;
    began_at: Date;
    finished_at: Date | null;
    records: string;
    remaining: string;
  }>(
    `SELECT replay::text, kind, topic, ordered_by, began_at, finished_at, records::text,
       CASE WHEN finished_at IS NULL THEN remaining ELSE 0 END::text AS remaining
     FROM engagement.replays
     CROSS JOIN LATERAL (
       SELECT coalesce(sum(until_offset - from_offset), 0) AS records,
         coalesce(sum(greatest(until_offset - coalesce(next_offset, from_offset), 0)), 0) AS remaining
       FROM engagement.replay_partitions AS part
       LEFT JOIN engagement.positions ON positions.topic = replays.topic AND positions.partition = part.partition
       WHERE part.replay = replays.replay) AS progress
     ORDER BY replays.replay DESC LIMIT $1`,
    [limit],
  );
  return rows.map((row) => ({
    replay: Number(row.replay),
    kind: row.kind,
    topic: row.topic,
    orderedBy: row.ordered_by,
    beganAt: row.began_at,
    finishedAt: row.finished_at,
    records: Number(row.records),
    remaining: Number(row.remaining),
  }));
}

/**
 * Ends all pauses of backfills, each with an entry in the audit trail, which a restore reads; the records of their definitions are
 * published by the running instances.
 */
export async function endSweepPauses(tx: Queryable, by: string): Promise<void> {
  const { rows } = await tx.query<{ definitionId: string; version: number; kind: string; organizerId: string }>(
    `DELETE FROM engagement.paused_sweeps AS paused USING engagement.definitions AS first
     WHERE first.definition_id = paused.definition_id AND first.version = 1
     RETURNING paused.definition_id AS "definitionId", paused.version, kind, organizer_id AS "organizerId"`,
  );
  for (const { definitionId, version, kind, organizerId } of rows)
    await appendAudit(tx, {
      ...{ operatorId: by, organizerId, definitionId },
      ...{ action: `${kind}.backfill_resumed`, details: { version, by: 'rebuild' } },
    });
  await noteAudited(
    tx,
    rows.map(({ definitionId }) => definitionId),
  );
}

/**
 * Deletes what is derived from the events: inbox, event store, histories, due times, and sweeps, so that every definition in
 * force is evaluated again for all users. Memberships stay: they are what the topic has, and only differences are published.
 * Awards and what is not issued stay too: they are records. The caller holds the epoch.
 */
export async function deleteDerived(tx: Queryable): Promise<void> {
  await tx.query(`
    TRUNCATE engagement.inbox, engagement.events, engagement.event_histories, engagement.due_times,
      engagement.definition_sweeps, engagement.paused_sweeps`);
}
