import { UserEventData, userEventRecordId } from '@podium/messages';
import { Pool } from '@podium/runtime/postgres';
import { monthOf } from '../../src/event-store/retention';

const rowsPerStatement = 5_000;

/**
 * Stores events as batches leave them whose event no definition names: in the inbox and the event store, without a history.
 * The users exist.
 */
export async function addStoredEvents(pool: Pool, events: Iterable<UserEventData>): Promise<void> {
  let rows: UserEventData[] = [];
  const flush = async (): Promise<void> => {
    await pool.query(
      `WITH seen AS (INSERT INTO engagement.inbox (digest) SELECT unnest($1::uuid[]))
       INSERT INTO engagement.events (user_ref, month, name, created_at, event_id, kind, platform_user_id, attributes,
         contract_version, link_id, linked_at, received_at, in_history)
       SELECT user_ref, month, name, created_at, event_id, 'repeatable', platform_user_id, attributes, 1, 'link-1', 1,
         created_at * 1000, true
       FROM unnest($2::text[], $3::int[], $4::text[], $5::bigint[], $6::text[], $7::text[], $8::jsonb[])
         AS given (user_id, month, name, created_at, event_id, platform_user_id, attributes)
       JOIN engagement.users ON users.platform = 'acme' AND users.user_id = given.user_id`,
      [
        rows.map(({ platform, event }) => userEventRecordId(platform, event.id)),
        rows.map(({ user_id }) => user_id),
        rows.map(({ event }) => monthOf(event.created_at)),
        rows.map(({ event }) => event.name),
        rows.map(({ event }) => event.created_at),
        rows.map(({ event }) => event.id),
        rows.map(({ platform_user_id }) => platform_user_id),
        rows.map(({ event }) => JSON.stringify(event.attributes.map(({ name, value }) => [name, value]))),
      ],
    );
    rows = [];
  };
  for (const event of events) if (rows.push(event) === rowsPerStatement) await flush();
  if (rows.length > 0) await flush();
}
