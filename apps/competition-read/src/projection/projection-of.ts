import type { Projection } from './projection';

/** A projection of a document that puts nothing but these parts into the tables. */
export function projectionOf(body: string, parts: Partial<Omit<Projection, 'body'>> = {}): Projection {
  return { body, summary: null, listings: [], names: [], boards: [], ...parts };
}
