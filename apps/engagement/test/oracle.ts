import type { AttributeType } from '@podium/messages';
import Big from 'big.js';
import type { AttributeTest, Condition, Filter, SegmentBody, TaskBody, Window } from '../src/evaluation/condition';

/**
 * For tests alone: what the engine must compute, written a second time as plainly as possible and without any of its
 * code. It keeps no state: every answer is recomputed over the whole list of events, at every second that could matter.
 */
export interface OracleEvent {
  readonly id: string;
  readonly name: string;
  readonly createdAt: number;
  readonly linkedAt: number;
  readonly attributes: readonly { readonly name: string; readonly value: string }[];
}

type Types = Readonly<Record<string, Readonly<Record<string, AttributeType>>>>;

/** Since when `since: link` counts: what each event carries for goals, one link for memberships. */
type LinkOf = (event: OracleEvent) => number;

/** The occurrences of a task that a user has reached by `nowS`. */
export function oracleOccurrences(
  task: { body: TaskBody; generation: number; types: Types },
  events: readonly OracleEvent[],
  nowS: number,
): Set<string> {
  const { body, generation, types } = task;
  const reached = new Set<string>();
  for (const instant of instantsOf(body, events, nowS)) {
    const past = events.filter((event) => event.createdAt <= instant);
    if ('once' in body.repeat) {
      if (holds(body.goal, types, past, instant, (event) => event.linkedAt)) reached.add(`g${generation}:once`);
      continue;
    }
    const total = termTotal(body.goal, types, past, instant);
    for (let n = 1; n <= (body.max_per_user ?? 1e9); n++) {
      if (total.lt(firstValue(body.goal).plus(new Big(body.repeat.every).times(n - 1)))) break;
      reached.add(`g${generation}:every:${n}`);
    }
  }
  return reached;
}

/** Whether a user is in a segment at `nowS`. */
export function oracleMember(
  segment: { body: SegmentBody; types: Types },
  events: readonly OracleEvent[],
  nowS: number,
  linkedAt: number | null,
): boolean {
  return linkedAt !== null && holds(segment.body.condition, segment.types, events, nowS, () => linkedAt);
}

/** Whether a condition holds at an instant on the events given. */
export function oracleHolds(condition: Condition, types: Types, events: readonly OracleEvent[], atS: number): boolean {
  return holds(condition, types, events, atS, (event) => event.linkedAt);
}

/** Every created_at, every full hour (all windows move then), and the start, within the dates and not after now. */
function instantsOf(body: TaskBody, events: readonly OracleEvent[], nowS: number): number[] {
  const start = body.starts_at === undefined ? -Infinity : Date.parse(body.starts_at) / 1000;
  const end = body.ends_at === undefined ? Infinity : Date.parse(body.ends_at) / 1000;
  const instants = new Set(events.map((event) => event.createdAt));
  for (let hour = Math.min(...instants); hour <= nowS; hour += 3600) instants.add(hour - (hour % 3600) + 3600);
  instants.add(start);
  return [...instants].filter((at) => Number.isFinite(at) && at >= start && at < end && at <= nowS);
}

function holds(
  condition: Condition,
  types: Types,
  events: readonly OracleEvent[],
  atS: number,
  linkOf: LinkOf,
): boolean {
  if ('all' in condition) return condition.all.every((child) => holds(child, types, events, atS, linkOf));
  if ('any' in condition) return condition.any.some((child) => holds(child, types, events, atS, linkOf));
  if ('not' in condition) return !holds(condition.not, types, events, atS, linkOf);
  if ('latest' in condition) {
    const named = events.filter((event) => event.name === condition.latest);
    named.sort((a, b) => a.createdAt - b.createdAt || Buffer.compare(Buffer.from(a.id), Buffer.from(b.id)));
    const newest = named.at(-1);
    return newest !== undefined && passes(newest, { event: condition.latest, where: condition.where }, types);
  }
  return compare(value(condition, types, events, atS, linkOf), condition.op, new Big(condition.value));
}

function value(
  condition: Extract<Condition, { window: Window }>,
  types: Types,
  events: readonly OracleEvent[],
  atS: number,
  linkOf: LinkOf,
): Big {
  const filter = 'count' in condition ? condition.count : condition.sum;
  const counted = events.filter(
    (event) => passes(event, filter, types) && isInside(condition.window, event, atS, linkOf),
  );
  if ('count' in condition) return new Big(counted.length);
  return counted.reduce((sum, event) => {
    const text = event.attributes.find((attribute) => attribute.name === condition.attribute)?.value;
    return text !== undefined && isDecimal(text) ? sum.plus(text) : sum;
  }, new Big(0));
}

function isInside(window: Window, event: OracleEvent, atS: number, linkOf: LinkOf): boolean {
  if ('lifetime' in window) return true;
  if ('since' in window) return event.createdAt >= linkOf(event);
  const [, count, letter] = /(\d+)([DWH])/.exec(window.rolling) ?? [];
  // "2026-11-20T14" or "2026-11-20": the names of UTC hours and days.
  const nameLength = letter === 'H' ? 13 : 10;
  const stepS = letter === 'H' ? 3600 : 86_400;
  const names = new Set<string>();
  for (let i = 0; i < Number(count) * (letter === 'W' ? 7 : 1); i++) names.add(utcName(atS - i * stepS, nameLength));
  return names.has(utcName(event.createdAt, nameLength));
}

function utcName(atS: number, length: number): string {
  return new Date(atS * 1000).toISOString().slice(0, length);
}

function passes(event: OracleEvent, filter: Filter, types: Types): boolean {
  return event.name === filter.event && (filter.where ?? []).every((test) => testHolds(event, test, types));
}

function testHolds(event: OracleEvent, test: AttributeTest, types: Types): boolean {
  const type = types[event.name][test.attribute];
  const text = event.attributes.find((attribute) => attribute.name === test.attribute)?.value;
  const present = text !== undefined && isValid(type, text);
  if (!('value' in test)) return present === (test.op === 'exists');
  if (!present) return false;
  if (test.op === 'in') return test.value.some((allowed) => isEqual(type, text, String(allowed)));
  const wanted = String(test.value);
  if (test.op === 'eq') return isEqual(type, text, wanted);
  if (test.op === 'ne') return !isEqual(type, text, wanted);
  return compare(numeric(type, text), test.op, numeric(type, wanted));
}

function isEqual(type: AttributeType, a: string, b: string): boolean {
  return type === 'string' || type === 'boolean' || type === 'currency'
    ? a === b
    : numeric(type, a).eq(numeric(type, b));
}

function numeric(type: AttributeType, text: string): Big {
  return type === 'timestamp' && text.includes('T') ? new Big(Date.parse(text)).div(1000) : new Big(text);
}

function isValid(type: AttributeType, text: string): boolean {
  if (type === 'boolean') return text === 'true' || text === 'false';
  if (type === 'currency') return text.length === 3 && [...text].every((letter) => letter >= 'A' && letter <= 'Z');
  if (type === 'integer') return isDecimal(text) && !text.includes('.');
  if (type === 'timestamp') return /^\d+$/.test(text) || (text.includes('T') && !Number.isNaN(Date.parse(text)));
  return type === 'string' || isDecimal(text);
}

function isDecimal(text: string): boolean {
  const unsigned = text.startsWith('-') ? text.slice(1) : text;
  const [whole, fraction, ...more] = unsigned.split('.');
  const allDigits = (part: string): boolean => part !== '' && [...part].every((digit) => digit >= '0' && digit <= '9');
  if (more.length > 0 || !allDigits(whole) || whole.length > 18) return false;
  return fraction === undefined || (allDigits(fraction) && fraction.length <= 9);
}

function compare(left: Big, op: string, right: Big): boolean {
  const order = left.cmp(right);
  switch (op) {
    case 'eq':
      return order === 0;
    case 'ne':
      return order !== 0;
    case 'lt':
      return order < 0;
    case 'lte':
      return order <= 0;
    case 'gt':
      return order > 0;
    case 'gte':
      return order >= 0;
    default:
      throw new Error(`the oracle does not know ${op}`);
  }
}

function termTotal(goal: Condition, types: Types, events: readonly OracleEvent[], atS: number): Big {
  if (!('count' in goal) && !('sum' in goal)) throw new Error('a repeated goal is one count or sum');
  return value(goal, types, events, atS, (event) => event.linkedAt);
}

function firstValue(goal: Condition): Big {
  if (!('count' in goal) && !('sum' in goal)) throw new Error('a repeated goal is one count or sum');
  return new Big(goal.value);
}
