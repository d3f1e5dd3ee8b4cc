import { BatchPlace, TablePositions, movePosition as move } from '@podium/runtime/consumers';
import { Queryable } from '@podium/runtime/postgres';

const table = 'linkage.positions';

/** How far erasures were read back: the tables' own account, so that a restored database reads what it lacks. */
export class PositionsStore extends TablePositions {
  constructor(db: Queryable) {
    super(db, table);
  }
}

/** Moves a position from where the batch follows it; throws `PositionMovedError` when it is elsewhere. */
export function movePosition(tx: Queryable, place: BatchPlace): Promise<void> {
  return move(tx, table, place);
}
