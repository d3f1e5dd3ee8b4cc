import { Pool, Queryable } from '@podium/runtime/postgres';

/** More than the code has. Beyond it, some text contains a value, and every value would stay prepared forever. */
const maxStatements = 500;

/**
 * Runs queries as prepared statements: the server parses each once per connection, and stops planning it after five
 * runs. For the fixed texts of `*.queries.ts`, with values as parameters. Throws on the 501st text.
 */
export function preparedStatements(pool: Pool): Queryable {
  const names = new Map<string, string>();
  return {
    query: async (text, values = []) => pool.query({ name: nameOf(text), text, values: [...values] }),
  };

  function nameOf(text: string): string {
    const known = names.get(text);
    if (known !== undefined) return known;
    if (names.size >= maxStatements)
      throw new Error(`more than ${maxStatements} statements to prepare; the last one: ${text}`);
    const name = `read_${names.size + 1}`;
    names.set(text, name);
    return name;
  }
}
