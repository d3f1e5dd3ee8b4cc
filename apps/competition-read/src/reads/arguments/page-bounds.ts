import { cursor } from './cursor';
import { Parameter } from './parameter';
import { integer } from './query-parameters';

/** The bounds of a page, for every read that does not set its own. */
const defaults = { maxLimit: 100, defaultLimit: 20, maxOffset: 2 ** 31 - 1 } as const;

/** The bounds of reads about hubs: of their members and roles, and of the hubs of a player or organizer. */
export const hubPageBounds = { maxLimit: 50, defaultLimit: 50, maxOffset: 1000 } as const;

/** The bounds of lists with large items: championships and their subscriptions. */
export const smallPageBounds = { maxLimit: 10, defaultLimit: 10 } as const;

/** `offset`, `limit` and `cursor` of a paged read. */
export function paging(bounds: { maxLimit?: number; defaultLimit?: number; maxOffset?: number } = {}) {
  const { maxLimit, defaultLimit, maxOffset } = { ...defaults, ...bounds };
  return { offset: offset(maxOffset), limit: limit(maxLimit, defaultLimit), cursor };
}

/** Number of items on a page. */
export function limit(max: number = defaults.maxLimit, fallback: number = defaults.defaultLimit): Parameter<number> {
  return integer({ min: 1, max, default: fallback, description: 'Maximum number of items to return' });
}

function offset(max: number): Parameter<number> {
  return integer({ min: 0, max, default: 0, description: 'Number of items to skip' });
}
