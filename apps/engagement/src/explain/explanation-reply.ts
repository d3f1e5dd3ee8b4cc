import { occurrenceKey } from '../awards/occurrence-range';
import { Condition } from '../evaluation/condition';
import { HistoryEvent, LinkPeriod } from '../evaluation/history';
import { isoTime } from '../reports/award-evidence-reply';
import { ComparisonExplanation } from './comparison-explanation';
import { ComparisonReply, CountedEventReply } from './comparison.dto';
import { ExplainedLinkReply, OccurrencesReply } from './explanation.dto';
import { OccurrencesExplanation } from './occurrence-states';

/** A comparison as operators see it. */
export function comparisonReply(comparison: ComparisonExplanation): ComparisonReply {
  const { path, value, target, holds } = comparison;
  return {
    ...{ path, condition: conditionReply(comparison.condition), value, target, holds },
    window_from: timeReply(comparison.windowFrom),
    counted: comparison.counted.map(({ event, text }) => eventReply(event, text)),
    counted_total: comparison.countedTotal,
    not_counted: comparison.notCounted.map(({ event, reason, test }) => ({ ...eventReply(event, null), reason, test })),
    not_counted_total: comparison.notCountedTotal,
    buckets: comparison.buckets.map(({ startsAt, ...bucket }) => ({ starts_at: timeReply(startsAt), ...bucket })),
    events_not_stored: comparison.notStored,
  };
}

/** Occurrences as operators see them. */
export function occurrencesReply(occurrences: OccurrencesExplanation): OccurrencesReply {
  const { range, version, state, reason } = occurrences;
  return {
    first: occurrenceKey(range.series, range.first),
    last: occurrenceKey(range.series, range.last),
    reached_at: isoTime(occurrences.reachedAt),
    ...{ version, state, reason },
    platform_user_id: occurrences.account,
    decided_by: occurrences.decidedBy?.id ?? null,
    blocked_by: occurrences.blockedBy,
    owed: occurrences.isOwed,
  };
}

/** A link as operators see it. */
export function linkReply(link: LinkPeriod | null): ExplainedLinkReply | null {
  if (link === null) return null;
  return {
    platform_user_id: link.account,
    linked_at: isoTime(link.linkedAt),
    unlinked_at: timeReply(link.unlinkedAt),
  };
}

/** Unix seconds as ISO 8601; null where there is no time, or one without bound. */
export function timeReply(atS: number | null): string | null {
  return atS === null || !Number.isFinite(atS) ? null : isoTime(atS);
}

/** The bounds of a window are shown as times. */
function conditionReply(condition: Condition): object {
  if (!('window' in condition) || !('between' in condition.window)) return condition;
  return { ...condition, window: { between: condition.window.between.map(isoTime) } };
}

function eventReply(event: HistoryEvent, value: string | null): CountedEventReply {
  return {
    id: event.id,
    name: event.name,
    created_at: isoTime(event.createdAt),
    received_at: isoTime(event.receivedAt),
    platform_user_id: event.account,
    value,
  };
}
