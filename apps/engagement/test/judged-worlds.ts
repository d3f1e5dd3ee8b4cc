import { UserEventData } from '@podium/messages';
import { Queryable } from '@podium/runtime/postgres';
import { readPublishedDefinitions } from '../src/definitions/published-definitions.store';
import { horizonS } from '../src/evaluation/definition';
import { readLinkPeriods } from '../src/users/link-periods.store';
import type { World } from './oracle';

export { wrongResults } from './world-comparison';

/**
 * The users of a platform of a running service, each as a world for the oracle: published definitions, approved rates and link
 * periods from the tables, events as they were accepted, in the order of the topic.
 */
export async function readWorlds(
  db: Queryable,
  platform: string,
  accepted: readonly UserEventData[],
  nowS: number,
): Promise<Map<string, World>> {
  const published = await readPublishedDefinitions(db, nowS);
  const definitions = published.definitions.filter((each) => each.platform === platform);
  const { rows: users } = await db.query<{ ref: number; userId: string }>(
    'SELECT user_ref::int AS ref, user_id AS "userId" FROM engagement.users WHERE platform = $1',
    [platform],
  );
  const links = await readLinkPeriods(
    db,
    users.map(({ ref }) => ref),
  );
  const rates = await readRates(db, [...new Set(definitions.map(({ organizerId }) => organizerId))]);
  return new Map(
    users.map(({ ref, userId }) => [
      userId,
      {
        ...{ definitions, horizonS, rates, links: links.get(ref) ?? [] },
        events: firstOfEach(accepted.filter((data) => data.user_id === userId)).map(eventOf),
      },
    ]),
  );
}

async function readRates(db: Queryable, organizerIds: readonly string[]): Promise<World['rates']> {
  const { rows } = await db.query<World['rates'][number]>(
    `SELECT from_currency AS "from", to_currency AS "to", day::text AS day, trim_scale(rate)::text AS rate
     FROM engagement.rates WHERE approved_at IS NOT NULL AND organizer_id = ANY ($1::text[])`,
    [organizerIds],
  );
  return rows;
}

/** Of two records under one id the first stays (docs/engine.md, reading 11). */
function firstOfEach(records: readonly UserEventData[]): UserEventData[] {
  const first = new Map<string, UserEventData>();
  for (const data of records) if (!first.has(data.event.id)) first.set(data.event.id, data);
  return [...first.values()];
}

function eventOf(data: UserEventData): World['events'][number] {
  const { event, linked_at: linkedAt, platform_user_id: account, contract_version: contractVersion } = data;
  return {
    ...{ id: event.id, name: event.name, createdAt: event.created_at, linkedAt, account, contractVersion },
    receivedAt: Math.floor(data.received_at / 1000),
    attributes: Object.fromEntries(event.attributes.map(({ name, value }) => [name, value])),
  };
}
