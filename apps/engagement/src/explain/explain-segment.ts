import { versionIndexAt } from '../evaluation/compiled-segment';
import { evaluateSegment } from '../evaluation/evaluate-segment';
import { momentOf } from '../evaluation/moment';
import { LiveSegment } from '../progress/definition-set';
import { ConditionExplanation } from './comparison-explanation';
import { explainCondition } from './explain-condition';
import { ExplainedUser } from './explain-task';

/** Why a user is in a segment or not. */
export interface SegmentExplanation extends ConditionExplanation {
  /** The version in force. */
  readonly version: LiveSegment['definition']['versions'][number];
  readonly hasEnded: boolean;
  /** Linked, not ended, and the condition holds. */
  readonly member: boolean;
  /** Unix seconds at which membership changes without a further event. */
  readonly dueAt: number | null;
}

/** Explains a segment for a user at an instant that is not before `finalTo` of the user's history. */
export function explainSegment(segment: LiveSegment, user: ExplainedUser): SegmentExplanation {
  const { view, atS, stored, segments } = user;
  const { versions, specs, endedAt } = segment.definition;
  const version = versions[versionIndexAt(versions, atS)];
  const context = { specs, segments, rates: segment.rates, zone: version.body.zone, taskStart: null, per: null };
  const moment = { ...momentOf(view, atS), stored, closesAt: Infinity };
  const explained = explainCondition(version.body.condition, context, moment, 'condition');
  const hasEnded = endedAt !== null && atS >= endedAt;
  const member = explained.holds && !hasEnded && view.isLinkedAt(atS);
  return { ...explained, version, hasEnded, member, dueAt: evaluateSegment(segment, view, segment.names, atS).dueAt };
}
