import { BatchPlace, TablePositions, movePosition as move } from '@podium/runtime/consumers';
import { Queryable } from '@podium/runtime/postgres';

const table = 'engagement.positions';

/** Next offsets per topic and partition, written with what the records caused; the consumer goes there at each assignment. */
export class PositionsStore extends TablePositions {
  constructor(db: Queryable) {
    super(db, table);
  }
}

/** Moves a position from where the batch follows it; throws `PositionMovedError` when it is elsewhere. */
export function movePosition(tx: Queryable, place: BatchPlace): Promise<void> {
  return move(tx, table, place);
}
