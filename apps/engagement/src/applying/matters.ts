import { Queryable } from '@podium/runtime/postgres';
import { LoadedHistories, WantedHistory } from '../history/loaded-histories';
import { DefinitionSet } from '../progress/definition-set';
import { Matter, Settlement, postpone, settle } from './settle';

/** Loads the histories that matters need, settles them (see `SettleContext`), and writes what the histories lacked. */
export async function settleMatters(
  tx: Queryable,
  matters: readonly Matter[],
  definitions: DefinitionSet,
  nowMs: number,
  linksPassedS?: number,
): Promise<Settlement> {
  if (definitions.isRebuilding) return postpone(tx, matters, nowMs);
  const histories = new LoadedHistories(definitions);
  await histories.load(tx, wantedBy(matters));
  const settlement = await settle(tx, matters, { definitions, histories, nowMs, linksPassedS });
  await histories.write(tx);
  return settlement;
}

/** The histories on which the evaluation of matters depends. */
export function wantedBy(matters: readonly Matter[]): WantedHistory[] {
  return matters.map(({ user, definition }) => ({ user, names: definition.names }));
}
