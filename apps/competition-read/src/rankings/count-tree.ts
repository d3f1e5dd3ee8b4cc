import { rankKeyBits } from './rank-key';

/**
 * How many entries stand before a key is read from a tree of counts: a node is (level, prefix), where prefix is the
 * first `levelBits * level` bits of a rank key, and the one node of level 0 is the whole board. A node has children
 * exactly while it counts more than `splitAbove`; a child that counts nothing has no row. So the tree depends on the
 * entries alone, a small board is one row, and a read passes at most 2^levelBits counts a level and then at most
 * `splitAbove` entries, unless more than that share one rank key.
 */
export const levelBits = 6;

/** The level whose prefixes are whole rank keys. */
export const deepestLevel = rankKeyBits / levelBits;

/** About three pages of the entries' index; much smaller makes more rows of counts than it saves. */
export const splitAbove = 256;

/** How far a rank key is shifted to the right to get its prefix of a level. */
export function shiftOf(level: number): number {
  return rankKeyBits - levelBits * level;
}

export interface CountNode {
  readonly board: string;
  readonly level: number;
  readonly prefix: number;
}

export interface Count extends CountNode {
  readonly count: number;
}

/** By how much the number of entries with a rank key changes. */
export type KeyDeltas = ReadonlyMap<number, number>;

/** What is to be done with the rows of counts below a board's own. */
export interface CountChanges {
  /** Rows with their new counts, all above 0. */
  readonly put: Count[];
  /** Rows that count nothing any more. */
  readonly removed: CountNode[];
  /** Nodes that have become small: all rows below them go. */
  readonly merged: CountNode[];
  /** Nodes that have become large and have no rows below them yet. */
  readonly split: Count[];
}

export function noChanges(): CountChanges {
  return { put: [], removed: [], merged: [], split: [] };
}

/** The nodes below level 0 that the keys belong to, whether or not they have rows. */
export function pathsOf(board: string, keys: Iterable<number>): CountNode[] {
  const nodes: CountNode[] = [];
  let inner = [...keys];
  for (let level = deepestLevel; level > 0; level--) {
    const width = level === deepestLevel ? 1 : 2 ** levelBits;
    inner = [...new Set(inner.map((prefix) => Math.floor(prefix / width)))];
    for (const prefix of inner) nodes.push({ board, level, prefix });
  }
  return nodes;
}

/**
 * Adds to `changes` what follows below a node whose count goes from `before` to `after` when the keys in it change by
 * `deltas`. `stored` knows the counts of the nodes on the keys' paths that have rows.
 */
export function changeBelow(
  changes: CountChanges,
  node: CountNode,
  counts: { readonly before: number; readonly after: number },
  deltas: KeyDeltas,
  stored: (node: CountNode) => number | undefined,
): void {
  const wasSplit = isSplit(node, counts.before);
  const staysSplit = isSplit(node, counts.after);
  if (wasSplit && !staysSplit) changes.merged.push(node);
  if (!wasSplit && staysSplit) changes.split.push({ ...node, count: counts.after });
  if (!wasSplit || !staysSplit) return;
  for (const [prefix, inner] of partsOf(deltas, node.level + 1)) {
    const child = { board: node.board, level: node.level + 1, prefix };
    const before = stored(child) ?? 0;
    const after = before + sum(inner);
    if (after > 0) changes.put.push({ ...child, count: after });
    else changes.removed.push(child);
    changeBelow(changes, child, { before, after }, inner, stored);
  }
}

function isSplit(node: CountNode, count: number): boolean {
  return node.level < deepestLevel && count > splitAbove;
}

function partsOf(deltas: KeyDeltas, level: number): Map<number, Map<number, number>> {
  const parts = new Map<number, Map<number, number>>();
  for (const [key, delta] of deltas) {
    const prefix = Math.floor(key / 2 ** shiftOf(level));
    const part = parts.get(prefix);
    if (part) part.set(key, delta);
    else parts.set(prefix, new Map([[key, delta]]));
  }
  return parts;
}

/** The sum of the deltas. */
export function sum(deltas: KeyDeltas): number {
  let total = 0;
  for (const delta of deltas.values()) total += delta;
  return total;
}
