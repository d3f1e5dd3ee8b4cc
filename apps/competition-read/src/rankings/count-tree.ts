import { rankKeyBits } from './rank-key';

/**
 * A tree of counts tells how many entries are before a key. A node is (level, prefix), where prefix is the first
 * `levelBits * level` bits of a rank key; the node of level 0 is the whole board. A node has children exactly while it
 * counts more than `splitAbove`; a child with count 0 has no row. So the tree depends only on the entries, and a small
 * board is one row. A read scans at most 2^levelBits counts per level and then at most `splitAbove` entries, unless more
 * than that share one rank key.
 */
export const levelBits = 6;

/** The level whose prefixes are whole rank keys. */
export const deepestLevel = rankKeyBits / levelBits;

/** About three pages of the index of entries. A much smaller value adds more count rows than it saves entry reads. */
export const splitAbove = 256;

/** Number of bits to shift a rank key to the right for its prefix on a level. */
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

/** The change in the number of entries with a rank key. */
export type KeyDeltas = ReadonlyMap<number, number>;

/** Writes to the counts below the count of the whole board. */
export interface CountChanges {
  /** Rows with their new counts, all above 0. */
  readonly put: Count[];
  /** Rows whose count becomes 0. */
  readonly removed: CountNode[];
  /** Nodes that have become small: all rows below them are deleted. */
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
 * Adds to `changes` the writes below a node whose count goes from `before` to `after` when its keys change by `deltas`.
 * `stored` has the counts of existing nodes on the paths of the keys.
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
