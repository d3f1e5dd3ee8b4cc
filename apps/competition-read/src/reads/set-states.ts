import { Queryable } from '@podium/runtime/postgres';
import { TableSet, Tables } from '../projection/table-set';
import { readSetState } from './set-state.queries';

interface Look {
  /** Nobody may join once it is under way: it could miss a change that came before the asker. */
  waiting: Promise<string> | null;
  running: Promise<unknown> | null;
}

/** Tells the state of a set of tables as it is at some time after the call; whoever asks meanwhile shares the next look. */
export class SetStates {
  private readonly looks: Record<TableSet, Look> = { a: noLook(), b: noLook() };

  constructor(private readonly db: Queryable) {}

  /** Equal to an earlier state of the set exactly while nothing in it has changed. */
  current(tables: Tables): Promise<string> {
    const look = this.looks[tables.set];
    look.waiting ??= this.after(look, tables);
    return look.waiting;
  }

  private async after(look: Look, tables: Tables): Promise<string> {
    await look.running?.catch(() => undefined);
    look.waiting = null;
    const reading = readSetState(this.db, tables);
    look.running = reading;
    return reading;
  }
}

function noLook(): Look {
  return { waiting: null, running: null };
}
