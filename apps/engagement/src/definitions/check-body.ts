import { AttributeType, Reward } from '@podium/messages';
import { holdsOnNothing, occurrenceLimit } from '../evaluation/compiled-definition';
import { Condition, Repeat, SegmentBody, TaskBody } from '../evaluation/condition';
import { parseDecimal } from '../evaluation/exact-decimal';
import { parseTyped } from '../evaluation/typed-value';
import { PlatformCatalogue } from './catalogue';
import { checkCondition } from './check-condition';
import { FilterCheck } from './check-filter';
import { fieldsOf, malformed, refused } from './body-problems';

/** A body that may be published, with the negotiated types of the attributes that it names. */
export interface CheckedBody<Body> {
  readonly body: Body;
  readonly attributeTypes: Readonly<Record<string, Readonly<Record<string, AttributeType>>>>;
}

/** A task as an operator sent it; the DTO has checked its simple fields. */
export interface GivenTask {
  readonly goal: unknown;
  readonly repeat: unknown;
  readonly max_per_user?: number;
  readonly starts_at?: string;
  readonly ends_at?: string;
  readonly reward: Reward;
  readonly eligible?: unknown;
  readonly budget?: unknown;
  readonly claw_back?: unknown;
}

/** Checks a segment against its platform's catalogue; throws a coded error that names the place. */
export function checkSegment(given: { condition: unknown }, catalogue: PlatformCatalogue): CheckedBody<SegmentBody> {
  const filters = new FilterCheck(catalogue);
  const condition = checkCondition(given.condition, 'condition', filters);
  return { body: { condition }, attributeTypes: filters.attributeTypes() };
}

/** Checks a task against its platform's catalogue; throws a coded error that names the place. */
export function checkTask(given: GivenTask, catalogue: PlatformCatalogue): CheckedBody<TaskBody> {
  refuseLaterFields(given);
  const filters = new FilterCheck(catalogue);
  const goal = checkCondition(given.goal, 'goal', filters);
  const attributeTypes = filters.attributeTypes();
  if (holdsOnNothing(goal, attributeTypes))
    throw refused('goal', 'holds for a user without any event, so it would reward everybody; add what has to happen');
  const repeat = checkRepeat(given.repeat, goal);
  checkDates(given);
  const { max_per_user, starts_at, ends_at } = given;
  if (max_per_user !== undefined && (max_per_user < 1 || max_per_user > occurrenceLimit))
    throw malformed('max_per_user', `must be a whole number from 1 to ${occurrenceLimit}`);
  const body: TaskBody = {
    goal,
    repeat,
    ...(max_per_user === undefined ? {} : { max_per_user }),
    ...(starts_at === undefined ? {} : { starts_at }),
    ...(ends_at === undefined ? {} : { ends_at }),
    reward: { ...given.reward },
  };
  return { body, attributeTypes };
}

/** Refuses fields that this release does not support, instead of ignoring them. */
function refuseLaterFields(given: GivenTask): void {
  for (const field of ['eligible', 'budget'] as const)
    if (given[field] !== undefined) throw refused(field, `"${field}" is not supported yet`);
  if (given.claw_back !== undefined && given.claw_back !== 'none')
    throw refused('claw_back', 'only "none" is supported yet');
}

function checkRepeat(value: unknown, goal: Condition): Repeat {
  const fields = fieldsOf(value, 'repeat', ['once', 'every', 'per', 'zone']);
  if ('per' in fields) throw refused('repeat.per', 'repeating per calendar period is not supported yet');
  if (fields.once === true && Object.keys(fields).length === 1) return { once: true };
  const { every } = fields;
  if (!(typeof every === 'string' || typeof every === 'number') || Object.keys(fields).length !== 1)
    throw malformed('repeat', 'must be {"once":true} or {"every":"N"}');
  if (!('count' in goal) && !('sum' in goal))
    throw refused('goal', 'a goal that repeats has to be one count or one sum');
  if ('rolling' in goal.window)
    throw refused('goal.window', 'a goal that repeats needs the window {"lifetime":true} or {"since":"link"}');
  if (goal.op !== 'gte') throw refused('goal.op', 'a goal that repeats needs gte');
  const step = parseDecimal(String(every));
  const whole = step !== null && step % 1_000_000_000n === 0n;
  if (step === null || step <= 0n || ('count' in goal && !whole))
    throw malformed('repeat.every', 'count' in goal ? 'must be a whole number above 0' : 'must be a decimal above 0');
  return { every };
}

function checkDates({ starts_at, ends_at }: GivenTask): void {
  for (const [path, text] of Object.entries({ starts_at, ends_at }))
    if (text !== undefined && (!/t/i.test(text) || parseTyped('timestamp', text) === null))
      throw malformed(path, 'must be an ISO 8601 time with its offset, for example 2026-12-01T00:00:00Z');
  if (starts_at !== undefined && ends_at !== undefined && Date.parse(starts_at) >= Date.parse(ends_at))
    throw malformed('ends_at', 'must lie after starts_at');
}
