import { Pool, Queryable, preparedBatches } from '@podium/runtime/postgres';

/** More than the code has. Beyond it, some text contains a value, and every value would stay prepared forever. */
const maxStatements = 500;

/**
 * Runs queries as prepared statements: the server parses each once per connection, and stops planning it after five
 * runs. For the fixed texts of `*.queries.ts`, with values as parameters. Rejects the 501st text.
 */
export function preparedStatements(pool: Pool): Queryable {
  return preparedBatches(pool, maxStatements);
}
