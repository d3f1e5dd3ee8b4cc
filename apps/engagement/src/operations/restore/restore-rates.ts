import { RateData } from '@podium/messages';
import { Queryable } from '@podium/runtime/postgres';
import { moveEpoch } from '../../definitions/epoch.store';
import { evaluateAgain } from '../../rates/evaluate-again';
import { addApprovedRates } from '../../rates/rates.store';

/** Adds published rates that the table lacks, and lets the users whom they concern be evaluated again; returns their number. */
export async function takeRates(tx: Queryable, published: readonly RateData[], nowMs: number): Promise<number> {
  if (published.length === 0) return 0;
  const added = await addApprovedRates(tx, published);
  if (added.length === 0) return 0;
  await moveEpoch(tx);
  await evaluateAgain(tx, added, nowMs);
  return added.length;
}
