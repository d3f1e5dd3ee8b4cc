import { Queryable } from '@podium/runtime/postgres';

/** The tasks of which no version has ended and whose last version ended at or before an instant, Unix seconds. */
export async function readTasksOver(db: Queryable, untilS: number): Promise<string[]> {
  const { rows } = await db.query<{ definitionId: string }>(
    `SELECT definition_id AS "definitionId" FROM engagement.definitions WHERE ${isOver('$1')} ORDER BY definition_id`,
    [untilS],
  );
  return rows.map(({ definitionId }) => definitionId);
}

/** What the audit trail says of a task that was ended. */
export interface EndedTask {
  readonly organizerId: string;
  readonly version: number;
  readonly name: string;
  /** Unix seconds. */
  readonly endedAt: number;
}

/** Ends a task at its `ends_at`; null when that has changed, or somebody else has ended it. */
export async function endTaskOver(tx: Queryable, definitionId: string, untilS: number): Promise<EndedTask | null> {
  const { rows } = await tx.query<EndedTask>(
    `UPDATE engagement.definitions
     SET ended_while_paused = state = 'paused', state = 'ended', ended_at = ${endsAt}
     WHERE definition_id = $1 AND ${isOver('$2')}
     RETURNING organizer_id AS "organizerId", version, name, extract(epoch FROM ${endsAt})::bigint AS "endedAt"`,
    [definitionId, untilS],
  );
  return rows[0] ?? null;
}

/** Stored as an ISO 8601 time in UTC. */
const endsAt = `(body ->> 'ends_at')::timestamptz`;

function isOver(untilS: string): string {
  return `kind = 'task' AND state IN ('published', 'paused') AND ${endsAt} <= to_timestamp(${untilS})`;
}
