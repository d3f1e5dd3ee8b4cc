import { startOf } from '../evaluation/calendar';
import { compileCondition } from '../evaluation/compiled-condition';
import { CompileContext } from '../evaluation/condition-node';
import { InSegmentCondition, LatestCondition, SequenceCondition } from '../evaluation/condition';
import { compareEvents } from '../evaluation/event-order';
import { HistoryEvent } from '../evaluation/history';
import { isLate } from '../evaluation/user-history';
import { ComparisonExplanation, ExplainedMoment } from './comparison-explanation';
import { FilterExplanation, unseenReason } from './event-explanation';
import { EventVerdict, eventsToExplain, listEvents } from './listed-events';

const nothingListed = {
  ...{ counted: [], countedTotal: 0, notCounted: [], notCountedTotal: 0 },
  ...{ buckets: [], value: null, target: null, windowFrom: null },
} as const;

/** Explains that the user is in another segment, whose own explanation says why. */
export function explainInSegment(
  condition: InSegmentCondition,
  context: CompileContext,
  moment: ExplainedMoment,
  path: string,
): ComparisonExplanation {
  return { ...nothingListed, path, condition, holds: compileCondition(condition, context).holds(moment), notStored: 0 };
}

/** Explains the newest event: it alone is looked at. */
export function explainLatest(
  condition: LatestCondition,
  context: CompileContext,
  moment: ExplainedMoment,
  path: string,
): ComparisonExplanation {
  const { latest, where } = condition;
  const filter = new FilterExplanation({ event: latest, where }, context.specs);
  const { newestFinal, lateGroups, finalTo } = moment.view.of(latest);
  const listed = eventsToExplain(moment, latest);
  const merged = [newestFinal, ...lateGroups.map((group) => group.newest)].filter((event) => event !== null);
  const notListed = merged.filter((event) => !listed.some(({ id }) => id === event.id));
  const events = [...listed, ...notListed].sort((a, b) => compareEvents(b, a));
  const newest = events.find((event) => unseenReason(event, moment.atS, moment.closesAt) === null);
  const verdictOf = (event: HistoryEvent): EventVerdict =>
    unseenReason(event, moment.atS, moment.closesAt) ??
    (event === newest ? filter.reasonOf(event) : { reason: 'not_newest' as const, test: null }) ?? { text: null };
  return {
    ...nothingListed,
    ...{ path, condition, holds: compileCondition(condition, context).holds(moment) },
    ...listEvents(events, verdictOf),
    notStored: finalTo === 0 ? 0 : null,
  };
}

/** Explains a sequence: the events that are one of its steps. */
export function explainSequence(
  condition: SequenceCondition,
  context: CompileContext,
  moment: ExplainedMoment,
  path: string,
): ComparisonExplanation {
  const compiled = compileCondition(condition, context);
  const names = [...compiled.names];
  const steps = condition.sequence.map((filter) => ({
    event: filter.event,
    explanation: new FilterExplanation(filter, context.specs),
  }));
  const { taskStart, per, zone } = context;
  const from = per === null ? taskStart : Math.max(taskStart ?? -Infinity, startOf(per, moment.atS, zone));
  const stepReason = (event: HistoryEvent): EventVerdict | null => {
    const reasons = steps.filter((step) => step.event === event.name).map((step) => step.explanation.reasonOf(event));
    return reasons.includes(null) ? null : (reasons[0] ?? null);
  };
  const verdictOf = (event: HistoryEvent): EventVerdict => {
    const unseen = unseenReason(event, moment.atS, moment.closesAt);
    if (unseen) return unseen;
    if (isLate(event)) return { reason: 'late', test: null };
    if (from !== null && event.createdAt < from) return { reason: 'outside_window', test: null };
    return stepReason(event) ?? { text: null };
  };
  const events = names.flatMap((name) => eventsToExplain(moment, name)).sort((a, b) => compareEvents(b, a));
  return {
    ...nothingListed,
    ...{ path, condition, holds: compiled.holds(moment), windowFrom: from },
    ...listEvents(events, verdictOf),
    notStored: names.every((name) => moment.view.of(name).finalTo === 0) ? 0 : null,
  };
}
