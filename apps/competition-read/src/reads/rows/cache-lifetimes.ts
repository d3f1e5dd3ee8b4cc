/**
 * For how many seconds a client may cache an answer (`max-age` in Cache-Control), by how often its data changes. After
 * that it revalidates with the ETag. The service's own answer cache has no lifetime: it holds while the tables do not change.
 */
export const cacheSeconds = {
  /** A match in play, a queue. */
  live: 5,
  /** Lists, rankings, searches. */
  list: 10,
  /** A single document, statistics. */
  details: 30,
  /** Games, matchmakings, rules. */
  reference: 60,
} as const;
