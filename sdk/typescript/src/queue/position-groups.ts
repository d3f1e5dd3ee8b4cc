import type { Position } from './segment';

/** Positions in their order, in groups of records with about a number of bytes. */
export function* groupsOf(positions: readonly Position[], groupBytes: number): Generator<Position[]> {
  let group: Position[] = [];
  let bytes = 0;
  for (const position of positions) {
    group.push(position);
    bytes += position.length;
    if (bytes < groupBytes) continue;
    yield group;
    group = [];
    bytes = 0;
  }
  if (group.length > 0) yield group;
}
