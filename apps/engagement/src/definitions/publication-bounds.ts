import { CodedError } from '@podium/messages';
import { Condition } from '../evaluation/condition';
import { SegmentBody, TaskBody, TaskReward, horizonS } from '../evaluation/definition';
import { refused } from './body-problems';
import { boundLeadS, isAhead, isStartOfDay } from './in-force-from';

/** The instants of a publication, Unix seconds. */
export interface PublicationTimes {
  readonly nowS: number;
  readonly inForceFrom: number;
  /** `in_force_from` of the definition's first version, which may be this one. */
  readonly firstInForceFrom: number;
}

const leadMinutes = boundLeadS / 60;
const horizonDays = horizonS / 86_400;

/**
 * Checks the fixed bounds of a version against the published version before it (null: none). A bound that is new must lie
 * ahead or begin a day, because state can be cut only there; others were checked when they were published.
 */
export function requireBounds(
  body: SegmentBody | TaskBody,
  before: SegmentBody | TaskBody | null,
  times: PublicationTimes,
): void {
  if ('goal' in body) requireDates(body, before as TaskBody | null, times);
  const known = new Set(before === null ? [] : fixedTerms(before).map(({ key }) => key));
  for (const { key, path, between } of fixedTerms(body))
    if (!known.has(key)) between.forEach((atS, i) => requireCut(`${path}[${i}]`, atS, times.nowS, body.zone));
}

/** Throws `conflict` for a task that has closed: its state is gone, so that no version can change what it owes. */
export function requireOpen({ ends_at }: TaskBody, nowS: number): void {
  if (ends_at !== undefined && ends_at + horizonS <= nowS)
    throw new CodedError('conflict', {
      message: `This task closed ${horizonDays} days after its ends_at; create a new one.`,
    });
}

function requireDates(body: TaskBody, before: TaskBody | null, times: PublicationTimes): void {
  const { nowS, inForceFrom, firstInForceFrom } = times;
  const { starts_at, ends_at, zone } = body;
  if (starts_at !== undefined && starts_at !== before?.starts_at) {
    requireCut('starts_at', starts_at, nowS, zone);
    if (starts_at < nowS - horizonS) throw refused('starts_at', `must not lie more than ${horizonDays} days back`);
  }
  if (ends_at === undefined) return;
  if (ends_at !== before?.ends_at) {
    if (!isAhead(ends_at, nowS, zone))
      throw refused(
        'ends_at',
        `must lie at least ${leadMinutes} minutes ahead, or be the start of a day that is ahead`,
      );
    if (before !== null && ends_at < inForceFrom)
      throw refused('ends_at', `must not lie before in_force_from, which is ${iso(inForceFrom)}`);
  }
  const startsAt = starts_at ?? firstInForceFrom;
  if (ends_at <= startsAt) throw refused('ends_at', `must lie after the task's start, which is ${iso(startsAt)}`);
}

function requireCut(path: string, atS: number, nowS: number, zone: string): void {
  if (atS < nowS + boundLeadS && !isStartOfDay(atS, zone))
    throw refused(path, `must lie at least ${leadMinutes} minutes ahead, or be the start of a day of ${zone}`);
}

/** A term over fixed bounds; terms with the same key share their state. */
interface FixedTerm {
  readonly key: string;
  readonly path: string;
  readonly between: readonly [number, number];
}

function fixedTerms(body: SegmentBody | TaskBody): FixedTerm[] {
  if ('condition' in body) return termsOf(body.condition, 'condition');
  return [...termsOf(body.goal, 'goal'), ...termsOfReward(body.reward)];
}

function termsOfReward(reward: TaskReward): FixedTerm[] {
  if (!('percent' in reward) || !('sum' in reward.of) || !('between' in reward.of.window)) return [];
  const { of, currency, convert_to: convertTo } = reward;
  const key = JSON.stringify({ ...of, currency, convertTo });
  return [{ key, path: 'reward.of.window.between', between: reward.of.window.between }];
}

function termsOf(condition: Condition, path: string): FixedTerm[] {
  if ('all' in condition) return condition.all.flatMap((part, i) => termsOf(part, `${path}.all[${i}]`));
  if ('any' in condition) return condition.any.flatMap((part, i) => termsOf(part, `${path}.any[${i}]`));
  if ('not' in condition) return termsOf(condition.not, `${path}.not`);
  if (!('window' in condition) || !('between' in condition.window)) return [];
  const key = JSON.stringify({ ...condition, op: undefined, value: undefined });
  return [{ key, path: `${path}.window.between`, between: condition.window.between }];
}

function iso(atS: number): string {
  return new Date(atS * 1000).toISOString();
}
