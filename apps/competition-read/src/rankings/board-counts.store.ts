import { Queryable } from '@podium/runtime/postgres';
import { Tables } from '../table-sets/table-set';
import {
  Count,
  CountChanges,
  CountNode,
  KeyDeltas,
  deepestLevel,
  levelBits,
  shiftOf,
  splitAbove,
  sum,
} from './count-tree';
import { rankKeyBits } from './rank-key';

/** The deepest level that a rebuild counts in one scan: prefixes of the score and 16 subdivisions of it. */
const scannedLevel = 6;

/**
 * Adds the deltas of each board to the count of the whole board, and returns the new counts, which may be 0. This locks the
 * counts of these boards until the end of the transaction; boards are locked in the order of their names.
 */
export async function lockBoards(
  tx: Queryable,
  tables: Tables,
  boards: ReadonlyMap<string, KeyDeltas>,
): Promise<Map<string, number>> {
  const { rows } = await tx.query<{ board: string; count: number }>(
    `INSERT INTO ${tables.boardCounts} AS c (board, level, prefix, count)
     SELECT board, 0, 0, delta FROM unnest($1::text[], $2::int[]) AS given (board, delta)
     ORDER BY board COLLATE "C"
     ON CONFLICT (board, level, prefix) DO UPDATE SET count = c.count + excluded.count
     RETURNING board, count`,
    [[...boards.keys()], [...boards.values()].map(sum)],
  );
  return new Map(rows.map((row) => [row.board, row.count]));
}

/** The stored counts of the given nodes; a node without a row is omitted. */
export async function readCounts(tx: Queryable, tables: Tables, nodes: readonly CountNode[]): Promise<Count[]> {
  if (nodes.length === 0) return [];
  const { rows } = await tx.query<Count>(
    `SELECT c.board, c.level, c.prefix, c.count
     FROM unnest($1::text[], $2::int[], $3::bigint[]) AS given (board, level, prefix)
     JOIN ${tables.boardCounts} c USING (board, level, prefix)`,
    columnsOf(nodes),
  );
  return rows;
}

/** Writes the changes; the boards must be locked. Nodes that split are counted from the current entries. */
export async function writeCounts(tx: Queryable, tables: Tables, changes: CountChanges): Promise<void> {
  if (changes.removed.length + changes.merged.length > 0) await deleteCounts(tx, tables, changes);
  if (changes.put.length > 0)
    await tx.query(
      `INSERT INTO ${tables.boardCounts} (board, level, prefix, count)
       SELECT * FROM unnest($1::text[], $2::int[], $3::bigint[], $4::int[])
       ON CONFLICT (board, level, prefix) DO UPDATE SET count = excluded.count`,
      [...columnsOf(changes.put), changes.put.map(({ count }) => count)],
    );
  if (changes.split.length > 0)
    await tx.query(insertBelow(tables, 'SELECT * FROM unnest($1::text[], $2::int[], $3::bigint[], $4::int[])'), [
      ...columnsOf(changes.split),
      changes.split.map(({ count }) => count),
    ]);
}

/**
 * Recounts all boards from their entries, with the same result as if every entry had come through `applyBoards`. Only for
 * a set without other writers. It scans the entries once, and uses the index for parts that are still large. Takes about
 * two seconds for a million entries.
 */
export async function rebuildCounts(tx: Queryable, tables: Tables): Promise<void> {
  await tx.query(`DELETE FROM ${tables.boardCounts}`);
  await tx.query(
    `WITH smallest AS MATERIALIZED (
       SELECT board, rank_key >> ${shiftOf(scannedLevel)} AS prefix, count(*) AS count
       FROM ${tables.boardEntries} GROUP BY 1, 2
     ), parts AS MATERIALIZED (
       SELECT board, level, prefix >> ${levelBits} * (${scannedLevel} - level) AS prefix, sum(count)::int AS count
       FROM smallest CROSS JOIN generate_series(0, ${scannedLevel}) AS level
       GROUP BY 1, 2, 3
     )
     INSERT INTO ${tables.boardCounts} (board, level, prefix, count)
     SELECT part.board, part.level, part.prefix, part.count
     FROM parts part
     LEFT JOIN parts parent
       ON parent.board = part.board AND parent.level = part.level - 1 AND parent.prefix = part.prefix >> ${levelBits}
     WHERE part.level = 0 OR parent.count > ${splitAbove}`,
  );
  const large = `
    SELECT board, level::int, prefix, count FROM ${tables.boardCounts}
    WHERE level = ${scannedLevel} AND count > ${splitAbove}`;
  await tx.query(insertBelow(tables, large));
}

/** Writes the rows below nodes that are large, `given` as rows of (board, level, prefix, count). */
function insertBelow(tables: Tables, given: string): string {
  return `
    WITH RECURSIVE nodes (board, level, prefix, count, given) AS (
      SELECT *, true FROM (${given}) AS given
      UNION ALL
      SELECT node.board, node.level + 1, child.prefix, child.count, false
      FROM nodes node
      CROSS JOIN LATERAL (SELECT ${rankKeyBits} - ${levelBits} * node.level AS shift) AS of_node
      CROSS JOIN LATERAL (
        SELECT e.rank_key >> (shift - ${levelBits}) AS prefix, count(*)::int AS count
        FROM ${tables.boardEntries} e
        WHERE e.board = node.board AND e.rank_key >= 0
          AND e.rank_key >= node.prefix << shift AND e.rank_key < (node.prefix + 1) << shift
        GROUP BY 1) AS child
      WHERE node.count > ${splitAbove} AND node.level < ${deepestLevel})
    INSERT INTO ${tables.boardCounts} (board, level, prefix, count)
    SELECT board, level, prefix, count FROM nodes WHERE NOT given`;
}

async function deleteCounts(tx: Queryable, tables: Tables, { removed, merged }: CountChanges): Promise<void> {
  const ranges = [...removed.map(rangeOf), ...merged.flatMap(rangesBelow)];
  await tx.query(
    `DELETE FROM ${tables.boardCounts} c
     USING unnest($1::text[], $2::int[], $3::bigint[], $4::bigint[]) AS given (board, level, first, last)
     WHERE c.board = given.board AND c.level = given.level AND c.prefix BETWEEN given.first AND given.last`,
    [
      ranges.map(({ board }) => board),
      ranges.map(({ level }) => level),
      ranges.map(({ first }) => first),
      ranges.map(({ last }) => last),
    ],
  );
}

/** Adjacent nodes of one level; `first` and `last` are inclusive. */
interface CountRange {
  readonly board: string;
  readonly level: number;
  readonly first: number;
  readonly last: number;
}

function rangeOf({ board, level, prefix }: CountNode): CountRange {
  return { board, level, first: prefix, last: prefix };
}

function rangesBelow({ board, level, prefix }: CountNode): CountRange[] {
  return Array.from({ length: deepestLevel - level }, (_, index) => {
    const width = 2 ** (levelBits * (index + 1));
    return { board, level: level + 1 + index, first: prefix * width, last: prefix * width + width - 1 };
  });
}

function columnsOf(nodes: readonly CountNode[]): [string[], number[], number[]] {
  return [nodes.map(({ board }) => board), nodes.map(({ level }) => level), nodes.map(({ prefix }) => prefix)];
}
