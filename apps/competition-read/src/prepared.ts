import { Pool, Queryable } from '@podium/runtime/postgres';

/** More texts than the code has: a text with a value in it has come here, and every value would be kept for good. */
const mostTexts = 500;

/**
 * Queries on connections of a pool that the server parses once per connection and, after the first five runs, plans
 * no more. For the fixed texts of `*.queries.ts`: values belong in parameters. Throws on the 501st text.
 */
export function prepared(pool: Pool): Queryable {
  const names = new Map<string, string>();
  return {
    query: async (text, values = []) => pool.query({ name: nameOf(text), text, values: [...values] }),
  };

  function nameOf(text: string): string {
    const known = names.get(text);
    if (known !== undefined) return known;
    if (names.size >= mostTexts) throw new Error(`more than ${mostTexts} texts to prepare; the last one: ${text}`);
    const name = `read_${names.size + 1}`;
    names.set(text, name);
    return name;
  }
}
