import { Queryable } from '@podium/runtime/postgres';
import { closesAt } from '../evaluation/definition';
import { readPublishedDefinitions } from '../definitions/published-definitions.store';
import { restartSweeps } from './rates.store';
import { UsedPair, definitionsUsing } from './used-pairs';

/**
 * Lets all users of the definitions that use one of these pairs be evaluated again; the caller has moved the epoch. A task that
 * has closed is left as it is: a rate issues and reverses nothing there.
 */
export async function evaluateAgain(tx: Queryable, pairs: readonly UsedPair[], nowMs: number): Promise<void> {
  const nowS = Math.floor(nowMs / 1000);
  const { definitions } = await readPublishedDefinitions(tx, nowS);
  const open = definitions.filter((definition) => definition.kind === 'segment' || nowS < closesAt(definition));
  const using = definitionsUsing(open, pairs);
  await restartSweeps(
    tx,
    using.map(({ definitionId }) => definitionId),
  );
}
