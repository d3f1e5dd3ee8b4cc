import { countedRows, joinedBodies } from '../page-texts/page-texts.queries';
import { Tables } from '../table-sets/table-set';

/**
 * SQL for the first bodies of ordered rows, as lines of one value; null if there is none, or if none of these rows, `page`,
 * meets the condition. A body for which a page has no room is an empty line. An aggregate takes rows in their order.
 */
export function linesText(rows: string, limit: string, condition?: string): string {
  const having = condition === undefined ? '' : `HAVING bool_or(${condition})`;
  return `(SELECT ${joinedBodies} FROM (${countedRows(`${rows} LIMIT ${limit}`)}) AS page ${having})`;
}

/** SQL for the bodies, players and rank keys of board $1 from a place on, which has a rank key and a player id. */
export function entriesFrom(tables: Tables, place: string): string {
  return `
    SELECT e.body, e.player_id, e.rank_key FROM ${tables.boardEntries} e
    WHERE e.board = $1 AND e.rank_key >= 0 AND (e.rank_key, e.player_id) >= (${place}.rank_key, ${place}.player_id)
    ORDER BY e.rank_key, e.player_id`;
}

/** SQL for the bodies of board $1 before a place, the nearest first. */
export function entriesBefore(tables: Tables, place: string): string {
  return `
    SELECT e.body FROM ${tables.boardEntries} e
    WHERE e.board = $1 AND e.rank_key >= 0 AND (e.rank_key, e.player_id) < (${place}.rank_key, ${place}.player_id)
    ORDER BY e.rank_key DESC, e.player_id DESC`;
}
