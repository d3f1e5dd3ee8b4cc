import { evaluateSegment } from '../src/evaluation/evaluate-segment';
import { evaluateTask } from '../src/evaluation/evaluate-task';
import { UserView } from '../src/evaluation/user-history';
import { expanded, setOf } from './evaluated-world';
import { OracleOwed, World, changesOf, memberAt, owedOf } from './oracle';

/** The most occurrences of a task that are compared. */
export const comparedLimit = 60;

/** By then the last window of a world has ended: a change after it would be missed, and the engine's would be one too many. */
const furtherS = 100 * 86_400;

/** What of an occurrence is compared. */
type Compared = (owed: OracleOwed) => Partial<OracleOwed>;

/**
 * Expects that the engine finds what a naive recomputation of a world does, at all instants from `finalTo` (Unix seconds) on;
 * `compared` leaves out what the view of the engine cannot know.
 */
export function compareWithOracle(
  made: World,
  view: UserView,
  nowS: number,
  finalTo: number,
  compared: Compared = (owed) => owed,
): void {
  for (const definition of made.definitions) {
    const live = setOf(made).byId.get(definition.definitionId)!;
    if (definition.kind === 'segment' && live.kind === 'segment') {
      const { member, changedAt, dueAt } = evaluateSegment(live, view, live.names, nowS);
      expect(member).toBe(memberAt(made, definition, nowS));
      const changes = changesOf(made, definition, nowS + furtherS);
      const last = changes.findLast(({ at }) => at <= nowS);
      if (finalTo === 0 && last) expect(changedAt).toBe(last.at);
      expect(dueAt).toBe(changes.find(({ at }) => at > nowS)?.at ?? null);
    } else if (definition.kind === 'task' && live.kind === 'task') {
      const { owed } = evaluateTask(live, view, live.names, { fromS: finalTo, nowS });
      const expected = owedOf(made, definition, nowS, { limit: comparedLimit });
      if (expected.length === comparedLimit && finalTo > 0) continue;
      const found = owed.flatMap((each) => expanded(each, comparedLimit)).slice(0, comparedLimit);
      const isAfter = ({ reachedAt }: OracleOwed): boolean => reachedAt >= finalTo;
      const before = new Set(expected.filter((each) => !isAfter(each)).map(({ occurrence }) => occurrence));
      expect(found.filter(({ occurrence }) => !before.has(occurrence)).map(compared)).toEqual(
        expected.filter(isAfter).map(compared),
      );
    }
  }
}
