import { compileConverted, isConverted } from './compile-converted';
import { compileAbsent, compileComparison, compileStreak } from './compile-comparison';
import { CompileContext, CompiledCondition, leaf } from './condition-node';
import { Condition, Filter } from './condition';
import { compileFilter } from './event-filter';
import { isNewer } from './event-order';
import { HistoryEvent } from './history';
import { Moment, segmentHolds } from './moment';
import { PerView } from './per-view';
import { SeenValues } from './seen-values';
import { polarityWithin } from './sensitivity';
import { compileSequence } from './sequence';
import { seenAt } from './user-history';

/** Compiles a condition in canonical form; throws on one that validation refuses. */
export function compileCondition(condition: Condition, context: CompileContext): CompiledCondition {
  if ('all' in condition) return compileBranches('all', condition.all, context);
  if ('any' in condition) return compileBranches('any', condition.any, context);
  if ('not' in condition) {
    const inner = compileCondition(condition.not, context);
    return {
      ...inner,
      holds: (moment) => !inner.holds(moment),
      uses: inner.uses.map(({ segmentId, polarity }) => ({ segmentId, polarity: polarityWithin(-1, polarity) })),
      sensitivities: (polarity) => inner.sensitivities(polarityWithin(-1, polarity)),
      values: (moment, path, add) => inner.values(moment, `${path}.not`, add),
    };
  }
  if ('latest' in condition) return compileLatest({ event: condition.latest, where: condition.where }, context);
  if ('sequence' in condition) return compileSequenceLeaf(condition, context);
  if ('in_segment' in condition) return compileInSegment(condition.in_segment, context);
  if ('absent' in condition) return compileAbsent(condition, context);
  if ('streak' in condition) return compileStreak(condition, context);
  return isConverted(condition) ? compileConverted(condition, context) : compileComparison(condition, context);
}

function compileBranches(
  kind: 'all' | 'any',
  branches: readonly Condition[],
  context: CompileContext,
): CompiledCondition {
  const inner = branches.map((branch) => compileCondition(branch, context));
  return {
    names: new Set(inner.flatMap(({ names }) => [...names])),
    terms: inner.flatMap(({ terms }) => terms),
    sequences: inner.flatMap(({ sequences }) => sequences),
    uses: inner.flatMap(({ uses }) => uses),
    holds:
      kind === 'all'
        ? (moment) => inner.every((each) => each.holds(moment))
        : (moment) => inner.some((each) => each.holds(moment)),
    boundaries: (view, add) => inner.forEach((each) => each.boundaries(view, add)),
    sensitivities: (polarity) => inner.flatMap((each) => each.sensitivities(polarity)),
    counted: (moment, add) => inner.forEach((each) => each.counted(moment, add)),
    values: (moment, path, add) =>
      inner.forEach((each, index) => each.values(moment, `${path}.${kind}[${index}]`, add)),
  };
}

function compileLatest(filter: Filter, { specs }: CompileContext): CompiledCondition {
  const passes = compileFilter(filter, specs);
  const seen = new PerView<string, SeenValues<HistoryEvent>>();
  const newer = (a: HistoryEvent, b: HistoryEvent): HistoryEvent => (isNewer(a, b) ? a : b);
  const newestAt = (moment: Moment): HistoryEvent | null => {
    const { view } = moment;
    const { newestFinal } = view.of(filter.event);
    const values = (): SeenValues<HistoryEvent> =>
      new SeenValues(
        view.eventsOf(filter.event).map((event) => ({ event, seenAt: seenAt(event), value: event })),
        newer,
      );
    let newest = newestFinal;
    seen
      .of(view, filter.event, values)
      .forEachAt(moment, -Infinity, Infinity, (event) => (newest = newest === null ? event : newer(event, newest)));
    return newest;
  };
  const holds = (moment: Moment): boolean => {
    const newest = newestAt(moment);
    return newest !== null && passes(newest);
  };
  return {
    ...leaf,
    names: new Set([filter.event]),
    holds,
    sensitivities: () => [{ kind: 'latest', event: filter.event, passes }],
    values: (moment, path, add) => add(path, String(holds(moment))),
  };
}

function compileSequenceLeaf(
  condition: Extract<Condition, { sequence: unknown }>,
  context: CompileContext,
): CompiledCondition {
  const sequence = compileSequence(condition, context);
  return {
    ...leaf,
    names: new Set(sequence.names),
    sequences: [sequence],
    sensitivities: () => [{ kind: 'event', names: new Set(sequence.names), passes: (event) => sequence.takes(event) }],
    holds: (moment) => sequence.holds(moment),
    values: (moment, path, add) => add(path, String(sequence.holds(moment))),
  };
}

function compileInSegment(segmentId: string, { segments }: CompileContext): CompiledCondition {
  const holds = (moment: Moment): boolean =>
    segmentHolds(moment, segmentId, () => segments.get(segmentId)?.holds(moment) ?? false);
  return {
    ...leaf,
    uses: [{ segmentId, polarity: 1 }],
    holds,
    values: (moment, path, add) => add(path, String(holds(moment))),
  };
}
