import { Queryable } from '@podium/runtime/postgres';
import { readPublishedDefinitions } from '../definitions/published-definitions.store';
import { restartSweeps } from '../definitions/restart-sweeps.store';
import { UsedPair, definitionsUsing } from './used-pairs';

/**
 * Lets all users of the definitions that use one of these pairs be evaluated again; the caller holds slow work, and moves the epoch. A task that has
 * closed is among them while the engine knows it: otherwise the rate would count for those of its users alone who are evaluated
 * for another reason.
 */
export async function evaluateAgain(tx: Queryable, pairs: readonly UsedPair[], nowMs: number): Promise<void> {
  const { definitions } = await readPublishedDefinitions(tx, Math.floor(nowMs / 1000));
  const using = definitionsUsing(definitions, pairs);
  await restartSweeps(
    tx,
    using.map(({ definitionId }) => definitionId),
  );
}
