import { Queryable } from '@podium/runtime/postgres';
import { LoadedHistories, WantedHistory } from '../history/loaded-histories';
import { Matter, SettleContext, Settlement, postpone, settle } from './settle';

/** Loads the histories that matters need, settles them (see `SettleContext`), and writes what the histories lacked. */
export async function settleMatters(
  tx: Queryable,
  matters: readonly Matter[],
  context: Omit<SettleContext, 'histories' | 'links' | 'continued'>,
): Promise<Settlement> {
  const { definitions, nowMs } = context;
  if (definitions.isRebuilding) return postpone(tx, matters, nowMs);
  const histories = new LoadedHistories(definitions);
  await histories.load(tx, wantedBy(matters));
  const settlement = await settle(tx, matters, { ...context, histories });
  await histories.write(tx);
  return settlement;
}

/** The histories on which the evaluation of matters depends. */
export function wantedBy(matters: readonly Matter[]): WantedHistory[] {
  return matters.map(({ user, definition }) => ({ user, names: definition.names }));
}
