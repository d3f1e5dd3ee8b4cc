import { UserEventData, userEventRecordId } from '@podium/messages';
import { Pool, Queryable, inTransaction } from '@podium/runtime/postgres';

/** The bare limit: a batch as one insert into the inbox and one into the event store, in one transaction. */
export class Floor {
  constructor(private readonly pool: Pool) {}

  async apply(events: readonly UserEventData[]): Promise<void> {
    await inTransaction(this.pool, (tx) => insertEvents(tx, events));
  }
}

/** One insert into the inbox and one into the event store. */
export async function insertEvents(tx: Queryable, events: readonly UserEventData[]): Promise<void> {
  await tx.query(
    `INSERT INTO engagement.inbox (digest) SELECT digest FROM unnest($1::uuid[]) AS given (digest) ORDER BY digest
     ON CONFLICT DO NOTHING`,
    [events.map(({ platform, event }) => userEventRecordId(platform, event.id))],
  );
  await tx.query(
    `INSERT INTO engagement.events (user_ref, month, name, created_at, event_id, kind, platform_user_id, attributes,
       contract_version, link_id, linked_at, received_at, in_history)
     SELECT *, true FROM unnest($1::bigint[], $2::int[], $3::text[], $4::bigint[], $5::text[], $6::text[], $7::text[],
       $8::jsonb[], $9::int[], $10::text[], $11::bigint[], $12::bigint[])`,
    [
      events.map(({ user_id }) => Number(user_id.slice('user-'.length))),
      events.map(({ event }) => monthOf(event.created_at)),
      events.map(({ event }) => event.name),
      events.map(({ event }) => event.created_at),
      events.map(({ event }) => event.id),
      events.map(({ kind }) => kind),
      events.map(({ platform_user_id }) => platform_user_id),
      events.map(({ event }) => JSON.stringify(event.attributes.map(({ name, value }) => [name, value]))),
      events.map(({ contract_version }) => contract_version),
      events.map(({ link_id }) => link_id),
      events.map(({ linked_at }) => linked_at),
      events.map(({ received_at }) => received_at),
    ],
  );
}

function monthOf(atS: number): number {
  const date = new Date(atS * 1000);
  return date.getUTCFullYear() * 100 + date.getUTCMonth() + 1;
}
