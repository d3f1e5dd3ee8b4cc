import { parseTyped } from '@podium/messages';
import fc from 'fast-check';
import { expanded, setOf, viewOf } from '../../test/evaluated-world';
import { World, holdsAt, memberAt, owedOf } from '../../test/oracle';
import { afterAll as endOf, share, world } from '../../test/oracle/generate-world';
import { propertyOptions } from '../../test/property-options';
import { isConverted } from '../evaluation/compile-converted';
import { isReached } from '../evaluation/evaluate-task';
import { formatDecimal } from '../evaluation/exact-decimal';
import { HistoryEvent } from '../evaluation/history';
import { momentOf } from '../evaluation/moment';
import { Measure, Tally } from '../evaluation/tally';
import { LiveDefinition } from '../progress/definition-set';
import { ComparisonExplanation } from './comparison-explanation';
import { explainSegment } from './explain-segment';
import { ExplainedUser, explainTask } from './explain-task';

const limit = 60;
const measures = ['count', 'sum', 'min', 'max'] as const;

describe('explanations of random worlds', () => {
  const given = world().chain((made) =>
    fc.tuple(fc.constant(made), fc.array(share, { minLength: 1, maxLength: 4 }), fc.boolean()),
  );

  it('agree with the engine and a naive recomputation at random instants, merged or not', () => {
    let holding = 0;
    let owing = 0;
    fc.assert(
      fc.property(given, ([made, shares, isMerged]) => {
        const instants = instantsOf(made, shares);
        const definitions = setOf(made);
        const view = viewOf(made, made.events, isMerged ? instants[0] : 0);
        const stored = byName(made.events);
        const segments = new Map([...definitions.byId].filter(isSegment));
        for (const atS of instants)
          for (const definition of made.definitions) {
            const live = definitions.byId.get(definition.definitionId)!;
            const user: ExplainedUser = { view, atS, stored, segments };
            if (definition.kind === 'segment' && live.kind === 'segment') {
              const { member, holds, version, comparisons } = explainSegment(live, user);
              expect(member).toBe(memberAt(made, definition, atS));
              expect(holds).toBe(holdsAt(made, definition, version.version, atS));
              comparisons.forEach(expectValueOfEvents);
              if (member) holding++;
            } else if (definition.kind === 'task' && live.kind === 'task') {
              const explained = explainTask(live, user);
              const { explainedAtS } = explained;
              const moment = momentOf(view.receivedBefore(live.closesAt), explainedAtS);
              expect(explained.holds).toBe(explained.version.goal.holds(moment));
              expect(explained.holds && explained.isEligible !== false).toBe(isReached(explained.version, moment));
              const isOpen = made.events.every(({ receivedAt }) => receivedAt < live.closesAt);
              if (explainedAtS < view.finalTo(live.names)) continue;
              if (isOpen)
                expect(explained.holds).toBe(holdsAt(made, definition, explained.version.version, explainedAtS));
              explained.comparisons.forEach(expectValueOfEvents);
              if (view.finalTo(live.names) > 0) continue;
              const expected = owedOf(made, definition, atS, { limit });
              expect(explained.owed.flatMap((each) => expanded(each, limit)).slice(0, limit)).toEqual(expected);
              owing += expected.length;
            }
          }
      }),
      propertyOptions(400),
    );
    // The worlds reach both, otherwise the property says little.
    expect(Math.min(holding, owing)).toBeGreaterThan(0);
  });
});

/** The events that are listed as counted, with the buckets, give the value. */
function expectValueOfEvents(comparison: ComparisonExplanation): void {
  const { condition, counted, countedTotal, buckets, value, notStored } = comparison;
  expect(counted).toHaveLength(Math.min(100, countedTotal));
  const measure = measures.find((each) => each in condition);
  if (measure === undefined || notStored !== 0 || countedTotal > counted.length) return;
  if (!isConverted(condition)) expect(value).toBe(valueOf(measure, comparison));
  // A merged amount without a rate is listed as not counted.
  const listed = countedTotal + (isConverted(condition) ? comparison.notCountedTotal : 0);
  expect(buckets.reduce((sum, { stored }) => sum + stored, 0)).toBeLessThanOrEqual(listed);
}

function valueOf(measure: Measure, { counted }: ComparisonExplanation): string | null {
  const tally = new Tally(measure, 0);
  for (const { text } of counted) tally.addEvent(measure === 'count' ? true : numberOf(text ?? ''));
  const value = tally.value();
  return value === null ? null : formatDecimal(value);
}

/** The text of an amount may have its currency behind it. */
function numberOf(text: string): bigint {
  const [first] = text.split(/ (?=[A-Z]{3}$)/);
  return (parseTyped('decimal', first) ?? parseTyped('timestamp', first)) as bigint;
}

/** In order, within the time of the world and a little after. */
function instantsOf(made: World, shares: readonly number[]): number[] {
  const from = Math.min(...made.links.map(({ linkedAt }) => linkedAt));
  const to = endOf(made);
  const near = made.events.map(({ createdAt }) => createdAt);
  const anywhere = shares.map((share) => Math.floor(from + share * (to - from)));
  const atEvents = shares.flatMap((share) => near.slice(Math.floor(share * near.length)).slice(0, 1));
  return [...new Set([...anywhere, ...atEvents])].sort((a, b) => a - b);
}

function isSegment(entry: [string, LiveDefinition]): entry is [string, Extract<LiveDefinition, { kind: 'segment' }>] {
  return entry[1].kind === 'segment';
}

function byName(events: readonly HistoryEvent[]): Map<string, HistoryEvent[]> {
  const names = new Set(events.map(({ name }) => name));
  return new Map([...names].map((name) => [name, events.filter((event) => event.name === name)]));
}
