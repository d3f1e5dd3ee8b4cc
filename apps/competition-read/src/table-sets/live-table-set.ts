import { CodedError } from '@podium/messages';
import { Queryable } from '@podium/runtime/postgres';
import { readLiveSet } from './live-table-set.store';
import { Tables, tablesOf } from './table-set';

/** The live table set, refreshed periodically and not per request: a swapped-out set stays readable for a while. */
export class LiveTableSet {
  private current: Tables | undefined;

  constructor(private readonly db: Queryable) {}

  async refresh(): Promise<void> {
    const { live } = await readLiveSet(this.db);
    this.current = tablesOf(live);
  }

  isKnown(): boolean {
    return this.current !== undefined;
  }

  /** The tables to read from; throws `unavailable` before the first refresh. */
  tables(): Tables {
    if (!this.current) throw new CodedError('unavailable', { internal: 'the live table set is not known yet' });
    return this.current;
  }
}
