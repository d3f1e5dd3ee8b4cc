import { Pool, Queryable, inTransaction, queryable } from '@podium/runtime/postgres';
import { BreakerState } from '../partner-client/partner-breakers';
import { OpenBreaker, addCounts, addExchanges, deleteOldActivity, holdActivity, saveBreakers } from './activity.store';
import { PartnerActivity } from './partner-activity';

/** How long redacted exchanges are kept, seconds. */
export const exchangesKeptS = 7 * 86_400;
/** How long counts per hour are kept, seconds. */
const countsKeptS = 30 * 86_400;
const rowsPerPrune = 10_000;
/** An open breaker is stored again this often; one that was not for longer belongs to an instance that has stopped. */
const breakersEveryMs = 15_000;

/** Stores what was recorded in memory: all of a round in one transaction, off the path of users. */
export class WriteActivity {
  private breakersWritten = '';
  private breakersAtMs = 0;

  constructor(
    private readonly parts: {
      readonly pool: Pool;
      readonly activity: PartnerActivity;
      /** Blocks erasures until the transaction ends, so that no exchange of an erased user is stored after it. */
      readonly blockErasures: (tx: Queryable) => Promise<void>;
      /** Breakers that are not closed, by platform. */
      readonly breakers: () => ReadonlyMap<string, Exclude<BreakerState, 'closed'>>;
      readonly instance: string;
    },
  ) {}

  /** One round; what could not be stored is in the next. */
  async run(): Promise<void> {
    const { pool, activity } = this.parts;
    const taken = activity.take();
    try {
      if (taken.counts.length > 0 || taken.exchanges.length > 0)
        await inTransaction(pool, async (tx) => {
          await this.parts.blockErasures(tx);
          await holdActivity(tx);
          await addCounts(tx, taken.counts);
          await addExchanges(tx, taken.exchanges);
        });
    } catch (error) {
      activity.giveBack(taken);
      throw error;
    }
    await this.writeBreakers();
  }

  /** Deletes what is older than its limit. */
  prune(): Promise<void> {
    const limits = { exchangesS: exchangesKeptS, countsS: countsKeptS, limit: rowsPerPrune };
    return deleteOldActivity(queryable(this.parts.pool), limits);
  }

  private async writeBreakers(): Promise<void> {
    const { pool, instance } = this.parts;
    const open = [...this.parts.breakers()].map(([platform, state]): OpenBreaker => ({ platform, state }));
    const current = JSON.stringify(open);
    const isDue = open.length > 0 && performance.now() - this.breakersAtMs > breakersEveryMs;
    if (current === this.breakersWritten && !isDue) return;
    await inTransaction(pool, (tx) => saveBreakers(tx, instance, open));
    this.breakersWritten = current;
    this.breakersAtMs = performance.now();
  }
}
