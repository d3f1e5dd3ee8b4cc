import { recordKeyParts, topics } from '@podium/messages';
import { Queryable } from '@podium/runtime/postgres';

/** The state of keys of a topic in linkage's tables, as text by key; unknown keys are missing. */
export async function readPresentStates(
  db: Queryable,
  topic: string,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const query = queries.get(topic);
  if (!query || keys.length === 0) return new Map();
  const parts = keys.map((key) => recordKeyParts(key) ?? []);
  const { rows } = await db.query<{ number: number; state: string }>(query, [
    parts.map(([first]) => first ?? ''),
    parts.map(([, second]) => second ?? ''),
  ]);
  return new Map(rows.map(({ number, state }) => [keys[number - 1], state]));
}

/** Each takes the first and second parts of the keys, and returns the number of a key with its state. */
const queries: ReadonlyMap<string, string> = new Map([
  [
    topics.links.name,
    // Of accounts with several users over time the topic has the current one.
    `SELECT DISTINCT ON (number) number, state || ', user ' || user_id AS state
     FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS given (first, second, number)
     JOIN linkage.links ON platform = first AND sub = second
     ORDER BY number, state = 'unlinked', linked_at DESC`,
  ],
  [
    topics.integrations.name,
    `SELECT number, status || ', contract ' || coalesce(
       (SELECT max(version)::text FROM linkage.contracts WHERE contracts.integration_id = integrations.integration_id),
       '-') AS state
     FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS given (first, second, number)
     JOIN linkage.integrations ON platform = first`,
  ],
  [
    topics.apiKeys.name,
    `SELECT number, CASE WHEN revoked_at IS NOT NULL THEN 'revoked' WHEN not_after IS NOT NULL THEN 'ends' ELSE 'valid' END AS state
     FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS given (first, second, number)
     JOIN linkage.api_keys ON key_id = first`,
  ],
]);
