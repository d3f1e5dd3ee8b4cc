import { BonusAwardResultData } from '@podium/messages';
import { BatchPlace, movePosition } from '@podium/runtime/consumers';
import { OutboxTimelineStore } from '@podium/runtime/outbox';
import { Pool, inTransaction } from '@podium/runtime/postgres';
import { freeUnits } from '../budgets/adjust-units';
import { positionsTable } from '../inbox/positions-table';
import { ResultOutcome, decideResults, freedIssues } from './award-results';
import { addLedgerEntries, lockLedgers } from './ledger.store';

const timeline = new OutboxTimelineStore('engagement');

/** Results of one partition, and the position behind them. */
export interface ResultBatch extends BatchPlace {
  readonly results: readonly BonusAwardResultData[];
}

/**
 * Enters results of the bonus engine into the ledgers of their awards, in one transaction with the position. What they reject,
 * and reversals that they confirm, give their units back to the budget.
 */
export class EnterAwardResults {
  constructor(
    private readonly pool: Pool,
    private readonly now: () => number = Date.now,
  ) {}

  /** `beforeCommit` gets the outcomes, in the order of the results, before the position moves past them. */
  apply(batch: ResultBatch, beforeCommit: (outcomes: ResultOutcome[]) => Promise<unknown>): Promise<ResultOutcome[]> {
    return inTransaction(this.pool, async (tx) => {
      // An award that Postgres lost in a failover would be taken for an unknown one.
      await timeline.require(tx);
      await movePosition(tx, positionsTable, batch);
      const ledgers = await lockLedgers(tx, [...new Set(batch.results.map((result) => result.award_id))]);
      const outcomes = decideResults(batch.results, ledgers);
      const entries = outcomes.flatMap((outcome) => (outcome.kind === 'applied' ? [outcome.entry] : []));
      await addLedgerEntries(tx, entries, this.now());
      await freeUnits(tx, freedIssues(outcomes));
      await beforeCommit(outcomes);
      return outcomes;
    });
  }
}
