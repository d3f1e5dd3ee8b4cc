import { Period } from '../evaluation/condition';
import { parseRolling } from '../evaluation/duration';
import { fieldsOf, malformed, refused } from './body-problems';
import { canonicalTime } from './canonical-value';
import { timeOf } from './check-value';
import { daysBeginOnUtcHours } from './check-zone';
import { WrittenTime, WrittenWindow } from './written-body';

/** Lengths of time of calendars. */
export const periods = ['day', 'week', 'month'] as const satisfies readonly Period[];

const maxDays = 366;
const maxHours = 744;
const dayBounds = `whole days or weeks up to P${maxDays}D`;
const rollingBounds = `${dayBounds}, or whole hours up to PT${maxHours}H`;

const windowForms = [
  '{"rolling":"P30D"}',
  '{"calendar":"day|week|month"}',
  '{"since":"link"}',
  '{"between":["<time>","<time>"]}',
  '{"lifetime":true}',
];

/** Where a window is written: in a task or segment, whose days are those of the zone. */
export interface WindowPlace {
  readonly kind: 'segment' | 'task';
  readonly zone: string;
}

/** Checks a window; a task's may be left out. Throws a coded error that names the place. */
export function checkWindow(value: unknown, path: string, place: WindowPlace): WrittenWindow | undefined {
  const forms = place.kind === 'task' ? [...windowForms, '{"task":true}'] : windowForms;
  const expected = `must be one of ${forms.join(', ')}`;
  if (value === undefined) {
    if (place.kind === 'task') return undefined;
    throw malformed(path, `${expected}; a segment has no default`);
  }
  const fields = fieldsOf(value, path, ['rolling', 'calendar', 'since', 'task', 'between', 'lifetime']);
  if (Object.keys(fields).length !== 1) throw malformed(path, expected);
  if ('rolling' in fields) return { rolling: checkRolling(fields.rolling, `${path}.rolling`, place.zone) };
  if ('between' in fields) return { between: checkBetween(fields.between, `${path}.between`) };
  if ('task' in fields && place.kind === 'segment')
    throw refused(`${path}.task`, 'a segment has no dates; the window "task" is for goals of tasks');
  if (fields.task === true) return { task: true };
  if (fields.lifetime === true) return { lifetime: true };
  if (fields.since === 'link') return { since: 'link' };
  const calendar = periods.find((period) => period === fields.calendar);
  if (calendar === undefined) throw malformed(path, expected);
  return { calendar };
}

/** The window of an absence: whole days or weeks. */
export function checkAbsence(value: unknown, path: string): { readonly rolling: string } {
  const { rolling } = fieldsOf(value, path, ['rolling']);
  const parsed = typeof rolling === 'string' ? parseRolling(rolling) : null;
  if (typeof rolling !== 'string' || parsed?.unit !== 'day' || parsed.units > maxDays)
    throw malformed(`${path}.rolling`, `must be an ISO 8601 duration of ${dayBounds}`);
  return { rolling };
}

function checkRolling(rolling: unknown, path: string, zone: string): string {
  const parsed = typeof rolling === 'string' ? parseRolling(rolling) : null;
  if (typeof rolling !== 'string' || parsed === null || parsed.units > (parsed.unit === 'day' ? maxDays : maxHours))
    throw malformed(path, `must be an ISO 8601 duration of ${rollingBounds}`);
  if (parsed.unit === 'hour' && !daysBeginOnUtcHours(zone))
    throw refused(
      path,
      `hours are whole UTC hours, and days of ${zone} can begin between them; use days, or another zone`,
    );
  return rolling;
}

function checkBetween(value: unknown, path: string): readonly [WrittenTime, WrittenTime] {
  if (!Array.isArray(value) || value.length !== 2) throw malformed(path, 'must be a list of two times');
  const from = timeOf(value[0], `${path}[0]`);
  const to = timeOf(value[1], `${path}[1]`);
  if (canonicalTime(from) >= canonicalTime(to)) throw malformed(`${path}[1]`, 'must lie after the first time');
  return [from, to];
}
