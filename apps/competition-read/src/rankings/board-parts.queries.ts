import { Queryable } from '@podium/runtime/postgres';
import { Tables, builtOnce } from '../table-sets/table-set';
import { BoardParts } from './board-parts';
import { deepestLevel, levelBits, splitAbove } from './count-tree';
import { rankKeyBits } from './rank-key';

/** The parts of a board; null when there is no such board. One statement, so that they are of the version that it returns. */
export async function readBoardParts(db: Queryable, tables: Tables, board: string): Promise<BoardParts | null> {
  const { rows } = await db.query<{ version: string | null; parts: Buffer | null }>(partsText(tables), [board]);
  const [{ version, parts }] = rows;
  return version === null || parts === null ? null : new BoardParts(version, parts);
}

/**
 * SQL for the version of the counts of board $1; null when there is no such board. Whatever changes the counts of a board
 * writes the count of the whole board in the same transaction.
 */
export function boardVersion(tables: Tables): string {
  return `(SELECT ${versionOfRow('board')} FROM ${tables.boardCounts} board WHERE board = $1 AND level = 0 AND prefix = 0)`;
}

/** SQL for the version of a board, of which `row` is the count of the whole. */
export function versionOfRow(row: string): string {
  return `${row}.xmin::text || '.' || ${row}.count`;
}

const partsText = builtOnce((tables) => {
  const firstKey = `prefix << (${rankKeyBits} - ${levelBits} * level)`;
  return `
    SELECT ${boardVersion(tables)} AS version,
      (SELECT string_agg(int2send(level) || substr(int8send(${firstKey}), 3) || int4send(count), ''::bytea ORDER BY ${firstKey})
       FROM ${tables.boardCounts}
       WHERE board = $1 AND (count <= ${splitAbove} OR level = ${deepestLevel})) AS parts`;
});
