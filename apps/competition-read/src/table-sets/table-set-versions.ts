import { Queryable } from '@podium/runtime/postgres';
import { TableSet, Tables } from './table-set';
import { readTableSetVersion } from './table-set-version.queries';

interface VersionCheck {
  /** The next check, which callers can still join. A running one could miss a change that a new caller must see. */
  waiting: Promise<string> | null;
  running: Promise<unknown> | null;
}

/** Reads versions of table sets as of some time after the call. Concurrent callers share the next check. */
export class TableSetVersions {
  private readonly checks: Record<TableSet, VersionCheck> = { a: noCheck(), b: noCheck() };

  constructor(private readonly db: Queryable) {}

  /** Equals an earlier version of the set exactly while nothing in it has changed. */
  current(tables: Tables): Promise<string> {
    const check = this.checks[tables.set];
    check.waiting ??= this.after(check, tables);
    return check.waiting;
  }

  private async after(check: VersionCheck, tables: Tables): Promise<string> {
    await check.running?.catch(() => undefined);
    check.waiting = null;
    const reading = readTableSetVersion(this.db, tables);
    check.running = reading;
    return reading;
  }
}

function noCheck(): VersionCheck {
  return { waiting: null, running: null };
}
