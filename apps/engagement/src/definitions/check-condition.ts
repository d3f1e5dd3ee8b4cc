import { isUuid } from '@podium/runtime/http';
import { horizonS } from '../evaluation/definition';
import { durationSeconds } from '../evaluation/duration';
import { choiceOf, fieldsOf, listOf, malformed, refused } from './body-problems';
import { inCurrencyOf } from './check-currency';
import { FilterCheck, compareOps, quoted } from './check-filter';
import { constantOf, decimalOf, wholeNumberOf } from './check-value';
import { WindowPlace, checkAbsence, checkWindow, periods } from './check-window';
import { WrittenCondition, WrittenFilter } from './written-body';

/** Limits of a condition. */
export const conditionLimits = {
  depth: 8,
  parts: 50,
  branches: 20,
  steps: 8,
  count: 999_999_999,
  /** The state keeps so many values of each user and bucket. */
  distinct: 1_000,
  streak: 366,
} as const;

/** The forms of a condition, by the field that names them. */
const conditionHeads = [
  'all',
  'any',
  'not',
  'count',
  'sum',
  'min',
  'max',
  'distinct',
  'latest',
  'absent',
  'sequence',
  'streak',
  'in_segment',
] as const;

type Head = (typeof conditionHeads)[number];
type Fields = Readonly<Record<string, unknown>>;

/** Checks the form of what an operator wrote, and its names against the catalogue; throws an error that names the place. */
export function checkCondition(
  value: unknown,
  path: string,
  filters: FilterCheck,
  place: WindowPlace,
): WrittenCondition {
  return new ConditionCheck(filters, place).condition(value, path, 1);
}

/** Checks a field with a segment's id, in lower case or not. */
export function segmentIdOf(value: unknown, path: string): string {
  if (typeof value !== 'string' || !isUuid(value)) throw malformed(path, 'must be the id of a segment');
  return value;
}

class ConditionCheck {
  private parts = 0;

  constructor(
    private readonly filters: FilterCheck,
    private readonly place: WindowPlace,
  ) {}

  condition(value: unknown, path: string, depth: number): WrittenCondition {
    if (depth > conditionLimits.depth) throw malformed(path, `conditions may lie ${conditionLimits.depth} deep`);
    if (++this.parts > conditionLimits.parts)
      throw malformed(path, `a condition may have ${conditionLimits.parts} parts`);
    const head = headOf(value, path);
    const fields = (...others: string[]): Fields => fieldsOf(value, path, [head, ...others]);
    switch (head) {
      case 'all':
        return { all: this.branches(fields().all, `${path}.all`, depth) };
      case 'any':
        return { any: this.branches(fields().any, `${path}.any`, depth) };
      case 'not':
        return { not: this.condition(fields().not, `${path}.not`, depth + 1) };
      case 'count':
        return this.count(fields('window', 'op', 'value'), path);
      case 'sum':
      case 'min':
      case 'max':
        return this.aggregate(head, fields('attribute', 'currency', 'convert_to', 'window', 'op', 'value'), path);
      case 'distinct':
        return this.distinct(fields('attribute', 'window', 'op', 'value'), path);
      case 'latest':
        return this.latest(fields('where'), path);
      case 'absent':
        return this.absent(fields('window'), path);
      case 'sequence':
        return this.sequence(fields('within'), path);
      case 'streak':
        return this.streak(fields('every', 'op', 'value'), path);
      case 'in_segment':
        return { in_segment: segmentIdOf(fields().in_segment, `${path}.in_segment`) };
    }
  }

  private branches(value: unknown, path: string, depth: number): WrittenCondition[] {
    const branches = listOf(value, path, conditionLimits.branches);
    return branches.map((branch, i) => this.condition(branch, `${path}[${i}]`, depth + 1));
  }

  private count(fields: Fields, path: string): WrittenCondition {
    const count = this.filters.filter(fields.count, `${path}.count`);
    const value = wholeNumberOf(fields.value, `${path}.value`, { min: 0, max: conditionLimits.count });
    return { count, ...this.window(fields, path), op: opOf(fields, path), value };
  }

  private aggregate(head: 'sum' | 'min' | 'max', fields: Fields, path: string): WrittenCondition {
    const filter = this.filters.filter(fields[head], `${path}.${head}`);
    const named = this.filters.aggregated(head, fields.attribute, filter.event, `${path}.attribute`);
    const isTime = named.spec.type === 'timestamp';
    const rest = {
      attribute: named.name,
      ...inCurrencyOf(fields, named, path, this.place),
      ...this.window(fields, path),
      op: opOf(fields, path),
      value: isTime ? constantOf(fields.value, 'timestamp', `${path}.value`) : decimalOf(fields.value, `${path}.value`),
    };
    return head === 'sum'
      ? { sum: filter, ...rest }
      : head === 'min'
        ? { min: filter, ...rest }
        : { max: filter, ...rest };
  }

  private distinct(fields: Fields, path: string): WrittenCondition {
    const distinct = this.filters.filter(fields.distinct, `${path}.distinct`);
    const { name, spec } = this.filters.attribute(fields.attribute, distinct.event, `${path}.attribute`);
    if (spec.currencyAttribute !== undefined)
      throw refused(`${path}.attribute`, `${quoted(name)} is money, of which different values are not counted`);
    const value = wholeNumberOf(fields.value, `${path}.value`, { min: 0, max: conditionLimits.distinct });
    return { distinct, attribute: name, ...this.window(fields, path), op: opOf(fields, path), value };
  }

  private latest(fields: Fields, path: string): WrittenCondition {
    const latest = this.filters.eventName(fields.latest, `${path}.latest`);
    return { latest, where: this.filters.tests(fields.where, latest, `${path}.where`) };
  }

  private absent(fields: Fields, path: string): WrittenCondition {
    const absent = this.filters.filter(fields.absent, `${path}.absent`);
    return { absent, window: checkAbsence(fields.window, `${path}.window`) };
  }

  private sequence(fields: Fields, path: string): WrittenCondition {
    const { sequence: steps, within } = fields;
    if (!Array.isArray(steps) || steps.length < 2 || steps.length > conditionLimits.steps)
      throw malformed(`${path}.sequence`, `must be a list of 2 to ${conditionLimits.steps} filters`);
    const sequence = steps.map((step, i): WrittenFilter =>
      this.filters.filter(step as unknown, `${path}.sequence[${i}]`),
    );
    const withinS = typeof within === 'string' ? durationSeconds(within) : null;
    if (typeof within !== 'string' || withinS === null || withinS > horizonS)
      throw malformed(`${path}.within`, `must be an ISO 8601 duration up to P${horizonS / 86_400}D, for example P7D`);
    return { sequence, within };
  }

  private streak(fields: Fields, path: string): WrittenCondition {
    const streak = this.filters.filter(fields.streak, `${path}.streak`);
    const every = choiceOf(fields.every, `${path}.every`, periods);
    const value = wholeNumberOf(fields.value, `${path}.value`, { min: 0, max: conditionLimits.streak });
    return { streak, every, op: opOf(fields, path), value };
  }

  private window(fields: Fields, path: string) {
    const window = checkWindow(fields.window, `${path}.window`, this.place);
    return window === undefined ? {} : { window };
  }
}

function headOf(value: unknown, path: string): Head {
  const given = typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : [];
  const found = conditionHeads.filter((head) => given.includes(head));
  if (found.length !== 1) throw malformed(path, `must be an object with exactly one of ${conditionHeads.join(', ')}`);
  return found[0];
}

function opOf(fields: Fields, path: string) {
  return choiceOf(fields.op, `${path}.op`, compareOps);
}
