import { UserEventData } from '@podium/messages';
import { Queryable } from '@podium/runtime/postgres';
import { monthOf, retentionCutoff, storedEventsCap } from './retention';

/** An event with the row of its user. */
export interface UserEvent {
  readonly userRef: number;
  readonly data: UserEventData;
}

/**
 * Stores events that are new to the inbox, except repeatable ones past their retention. Then it deletes the oldest events beyond
 * the cap of each group (user, month, name) concerned that may exceed it, so that a late event may be deleted at once.
 */
export async function storeEvents(
  tx: Queryable,
  events: readonly UserEvent[],
  nowMs: number,
  mayExceedCap: (event: UserEvent) => boolean = () => true,
): Promise<void> {
  const cutoff = retentionCutoff(nowMs);
  const kept = events.filter(({ data }) => data.kind === 'one_off' || data.event.created_at >= cutoff);
  if (kept.length === 0) return;
  await insertEvents(tx, kept);
  await dropBeyondCap(tx, kept.filter(mayExceedCap));
}

/** Deletes at most `limit` repeatable events past their retention and returns how many. */
export async function deleteExpired(db: Queryable, nowMs: number, limit: number): Promise<number> {
  const { rowCount } = await db.query(
    `DELETE FROM engagement.events WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM engagement.events
       WHERE kind = 'repeatable' AND created_at < $1
       ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED))`,
    [retentionCutoff(nowMs), limit],
  );
  return rowCount ?? 0;
}

async function insertEvents(tx: Queryable, events: readonly UserEvent[]): Promise<void> {
  await tx.query(
    `INSERT INTO engagement.events (user_ref, month, name, created_at, event_id, kind, platform_user_id, attributes,
       contract_version, link_id, linked_at, received_at, in_history)
     SELECT *, true FROM unnest($1::bigint[], $2::int[], $3::text[], $4::bigint[], $5::text[], $6::text[], $7::text[],
       $8::jsonb[], $9::int[], $10::text[], $11::bigint[], $12::bigint[])`,
    [
      events.map(({ userRef }) => userRef),
      events.map(({ data }) => monthOf(data.event.created_at)),
      events.map(({ data }) => data.event.name),
      events.map(({ data }) => data.event.created_at),
      events.map(({ data }) => data.event.id),
      events.map(({ data }) => data.kind),
      events.map(({ data }) => data.platform_user_id),
      events.map(({ data }) => JSON.stringify(data.event.attributes.map(({ name, value }) => [name, value]))),
      events.map(({ data }) => data.contract_version),
      events.map(({ data }) => data.link_id),
      events.map(({ data }) => data.linked_at),
      events.map(({ data }) => data.received_at),
    ],
  );
}

async function dropBeyondCap(tx: Queryable, events: readonly UserEvent[]): Promise<void> {
  if (events.length === 0) return;
  // By ctid, because with a join the planner may rank each group once per row. Rows of a locked user do not change in between,
  // and rows that the retention deletes meanwhile are skipped.
  await tx.query(
    `WITH touched AS (SELECT DISTINCT * FROM unnest($1::bigint[], $2::int[], $3::text[]) AS given (user_ref, month, name))
     DELETE FROM engagement.events WHERE ctid = ANY (ARRAY(
       SELECT excess.row_id
       FROM touched CROSS JOIN LATERAL (
         SELECT ctid AS row_id FROM engagement.events AS stored
         WHERE stored.user_ref = touched.user_ref AND stored.month = touched.month AND stored.name = touched.name
         ORDER BY created_at DESC, event_id DESC
         OFFSET $4) AS excess))`,
    [
      events.map(({ userRef }) => userRef),
      events.map(({ data }) => monthOf(data.event.created_at)),
      events.map(({ data }) => data.event.name),
      storedEventsCap,
    ],
  );
}
