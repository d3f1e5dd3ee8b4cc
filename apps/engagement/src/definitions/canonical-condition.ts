import { AttributeType } from '@podium/messages';
import { AttributeTest, Condition, Filter, Window } from '../evaluation/condition';
import { AttributeSpecs } from '../evaluation/definition';
import {
  canonicalConstant,
  canonicalDuration,
  canonicalNumber,
  canonicalRolling,
  canonicalSet,
  canonicalTime,
} from './canonical-value';
import { WrittenCondition, WrittenFilter, WrittenTest, WrittenWindow } from './written-body';

/**
 * The canonical form of a checked condition (docs/engine.md, reading 16): fixed order of fields, values by their types,
 * defaults filled in, `where`, `all`, `any` and `in` as sets. Its logic stays as it was written.
 */
export function canonicalCondition(written: WrittenCondition, specs: AttributeSpecs): Condition {
  if ('all' in written) return { all: conditionSet(written.all, specs) };
  if ('any' in written) return { any: conditionSet(written.any, specs) };
  if ('not' in written) return { not: canonicalCondition(written.not, specs) };
  if ('latest' in written) return { latest: written.latest, where: testSet(written.where, written.latest, specs) };
  if ('absent' in written)
    return {
      absent: canonicalFilter(written.absent, specs),
      window: { rolling: canonicalRolling(written.window.rolling) },
    };
  if ('sequence' in written)
    return {
      sequence: written.sequence.map((step) => canonicalFilter(step, specs)),
      within: canonicalDuration(written.within),
    };
  if ('in_segment' in written) return { in_segment: written.in_segment.toLowerCase() };
  return canonicalComparison(written, specs);
}

/** The canonical form of a filter: its tests are a set. */
export function canonicalFilter({ event, where = [] }: WrittenFilter, specs: AttributeSpecs): Filter {
  return { event, where: testSet(where, event, specs) };
}

/** The canonical form of a window; without one the task's own dates. */
export function canonicalWindow(window: WrittenWindow | undefined): Window {
  if (window === undefined || 'task' in window) return { task: true };
  if ('rolling' in window) return { rolling: canonicalRolling(window.rolling) };
  if ('between' in window) return { between: [canonicalTime(window.between[0]), canonicalTime(window.between[1])] };
  if ('calendar' in window) return { calendar: window.calendar };
  return 'since' in window ? { since: 'link' } : { lifetime: true };
}

type WrittenComparison = Extract<WrittenCondition, { readonly op: unknown }>;

function canonicalComparison(written: WrittenComparison, specs: AttributeSpecs): Condition {
  const { op } = written;
  if ('streak' in written)
    return {
      streak: canonicalFilter(written.streak, specs),
      every: written.every,
      op,
      value: canonicalNumber(written.value),
    };
  const window = canonicalWindow(written.window);
  if ('count' in written)
    return { count: canonicalFilter(written.count, specs), window, op, value: canonicalNumber(written.value) };
  if ('distinct' in written) {
    const distinct = canonicalFilter(written.distinct, specs);
    return { distinct, attribute: written.attribute, window, op, value: canonicalNumber(written.value) };
  }
  const { attribute, currency, convert_to } = written;
  const event = ('sum' in written ? written.sum : 'min' in written ? written.min : written.max).event;
  const type = attributeTypeOf(specs, event, attribute) === 'timestamp' ? 'timestamp' : 'decimal';
  const rest = {
    attribute,
    ...(currency === undefined ? {} : { currency }),
    ...(convert_to === undefined ? {} : { convert_to }),
    window,
    op,
    value: canonicalNumber(written.value, type),
  };
  if ('sum' in written) return { sum: canonicalFilter(written.sum, specs), ...rest };
  if ('min' in written) return { min: canonicalFilter(written.min, specs), ...rest };
  return { max: canonicalFilter(written.max, specs), ...rest };
}

function conditionSet(conditions: readonly WrittenCondition[], specs: AttributeSpecs): readonly Condition[] {
  return canonicalSet(conditions.map((condition) => canonicalCondition(condition, specs)));
}

function testSet(tests: readonly WrittenTest[], event: string, specs: AttributeSpecs): readonly AttributeTest[] {
  return canonicalSet(tests.map((test) => canonicalTest(test, attributeTypeOf(specs, event, test.attribute))));
}

function canonicalTest(test: WrittenTest, type: AttributeType | undefined): AttributeTest {
  const { attribute, op, value = '', currency } = test;
  if (op === 'exists' || op === 'not_exists') return { attribute, op };
  const values = Array.isArray(value) ? (value as readonly (string | number | boolean)[]) : [value as string];
  const constants = values.map((each) => canonicalConstant(each, type));
  const inCurrency = currency === undefined ? {} : { currency };
  return op === 'in'
    ? { attribute, op, value: canonicalSet(constants), ...inCurrency }
    : { attribute, op, value: constants[0], ...inCurrency };
}

export function attributeTypeOf(specs: AttributeSpecs, event: string, attribute: string): AttributeType | undefined {
  const ofEvent = Object.hasOwn(specs, event) ? specs[event] : {};
  return Object.hasOwn(ofEvent, attribute) ? ofEvent[attribute].type : undefined;
}
