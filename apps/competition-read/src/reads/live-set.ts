import { CodedError } from '@podium/messages';
import { Queryable } from '@podium/runtime/postgres';
import { readLiveSet } from '../projection/live-set.store';
import { Tables, tablesOf } from '../projection/table-set';

/** Which tables reads take, as last looked at: a look now and then, none per request. A swapped-out set stays readable. */
export class LiveSet {
  private current: Tables | undefined;

  constructor(private readonly db: Queryable) {}

  /** Looks again. */
  async refresh(): Promise<void> {
    const { live } = await readLiveSet(this.db);
    this.current = tablesOf(live);
  }

  isKnown(): boolean {
    return this.current !== undefined;
  }

  /** The tables to read from; throws `unavailable` before the first look. */
  tables(): Tables {
    if (!this.current) throw new CodedError('unavailable', { internal: 'which tables are live is not known yet' });
    return this.current;
  }
}
