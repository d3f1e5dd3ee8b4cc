import type { HistoryEvent } from '../src/evaluation/history';
import type { Owed } from '../src/evaluation/owed';
import { NameHistory, UserView, emptyHistory } from '../src/evaluation/user-history';
import { addEvent, condense, markSequences } from '../src/history/change-history';
import { DefinitionSet, definitionSet } from '../src/progress/definition-set';
import type { OracleOwed, World } from './oracle';

/** A user's view of a world whose events have arrived in an order; what is seen before `finalTo` is merged. */
export function viewOf(made: World, arrived: readonly HistoryEvent[], finalTo = 0): UserView {
  const definitions = setOf(made);
  const histories = new Map<string, NameHistory>();
  const platform = made.definitions[0].platform;
  const historyOf = (name: string): NameHistory => {
    const known = histories.get(name) ?? emptyHistory();
    histories.set(name, known);
    return known;
  };
  for (const event of arrived) addEvent(historyOf(event.name), event, definitions.keptState(platform, event.name));
  for (const name of finalTo > 0 ? histories.keys() : [])
    markSequences(histories, name, finalTo, definitions.keptState(platform, name));
  for (const [name, history] of finalTo > 0 ? histories : [])
    condense(history, finalTo, definitions.keptState(platform, name));
  return new UserView(histories, made.links);
}

const sets = new WeakMap<World, DefinitionSet>();

/** The compiled definitions of a world. */
export function setOf(made: World): DefinitionSet {
  const known = sets.get(made) ?? definitionSet(made.definitions);
  sets.set(made, known);
  return known;
}

/** What is owed, one by one as the oracle lists it; at most `limit` of each range. */
export function expanded({ occurrences, decidedBy, evidence: _evidence, ...owed }: Owed, limit: number): OracleOwed[] {
  const one = { reachedAt: owed.reachedAt, version: owed.version, account: owed.account, reward: owed.reward };
  const decidedById = decidedBy?.id ?? null;
  if (occurrences.kind === 'one') return [{ ...one, decidedById, occurrence: occurrences.occurrence }];
  const { generation, first, last } = occurrences;
  return Array.from({ length: Math.min(limit, last - first + 1) }, (_each, index) => ({
    ...one,
    decidedById,
    occurrence: `g${generation}:every:${first + index}`,
  }));
}
