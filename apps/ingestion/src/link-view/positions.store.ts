import { BatchPlace, TablePositions, movePosition as move } from '@podium/runtime/consumers';
import { Queryable } from '@podium/runtime/postgres';

const table = 'ingestion.positions';

/** How far the link view has read: the table's own account, which the group's commits in the broker are not. */
export class PositionsStore extends TablePositions {
  constructor(db: Queryable) {
    super(db, table);
  }
}

/** Moves a position from where the batch follows it; throws `PositionMovedError` when it is elsewhere. */
export function movePosition(tx: Queryable, place: BatchPlace): Promise<void> {
  return move(tx, table, place);
}
