import { Condition, Filter, Window } from './condition';
import { compareWith } from './compare';
import { AttributeTypes, EventFilter, compileFilter } from './event-filter';
import { toBillionths } from './exact-decimal';
import { TermWindow, windowOf } from './window';

/** A measure of a condition over the events of one name. */
export interface Term {
  readonly index: number;
  readonly event: string;
  readonly measure: 'count' | 'sum' | 'latest';
  /** For `latest`, the tests that the newest event must pass; otherwise the filter of counted events. */
  readonly passes: EventFilter;
  /** The attribute of a sum. */
  readonly attribute?: string;
  readonly window: TermWindow;
}

/** The value of a term at an instant. */
export interface TermValue {
  count: number;
  /** Billionths. */
  sum: bigint;
  latestHolds: boolean;
}

/** Whether a condition holds for the values of its terms, given by term index. */
export type Predicate = (values: readonly TermValue[]) => boolean;

/** A condition as its terms and a predicate over their values. */
export interface CompiledCondition {
  readonly terms: readonly Term[];
  readonly holds: Predicate;
}

/** Collects a condition's distinct terms in order of appearance, and compiles the predicate over their values. */
export function compileCondition(
  condition: Condition,
  attributeTypes: Readonly<Record<string, AttributeTypes>>,
): CompiledCondition {
  const collector = new TermCollector(attributeTypes);
  const holds = compileNode(condition, collector);
  return { terms: collector.terms, holds };
}

/** The values of all terms without any event. */
export function emptyValues(terms: readonly Term[]): TermValue[] {
  return terms.map(() => ({ count: 0, sum: 0n, latestHolds: false }));
}

function compileNode(condition: Condition, collector: TermCollector): Predicate {
  if ('all' in condition) {
    const children = condition.all.map((child) => compileNode(child, collector));
    return (values) => children.every((holds) => holds(values));
  }
  if ('any' in condition) {
    const children = condition.any.map((child) => compileNode(child, collector));
    return (values) => children.some((holds) => holds(values));
  }
  if ('not' in condition) {
    const child = compileNode(condition.not, collector);
    return (values) => !child(values);
  }
  if ('count' in condition) {
    const index = collector.add('count', condition.count, condition.window);
    const compare = compareWith(condition.op, Number(condition.value));
    return (values) => compare(values[index].count);
  }
  if ('sum' in condition) {
    const index = collector.add('sum', condition.sum, condition.window, condition.attribute);
    const compare = compareWith(condition.op, toBillionths(String(condition.value)));
    return (values) => compare(values[index].sum);
  }
  const index = collector.add('latest', { event: condition.latest, where: condition.where }, { lifetime: true });
  return (values) => values[index].latestHolds;
}

class TermCollector {
  readonly terms: Term[] = [];
  private readonly known = new Map<string, number>();

  constructor(private readonly attributeTypes: Readonly<Record<string, AttributeTypes>>) {}

  add(measure: Term['measure'], filter: Filter, window: Window, attribute?: string): number {
    const where = filter.where ?? [];
    const tests = where.map((test) => [test.attribute, test.op, 'value' in test ? test.value : null]);
    const key = JSON.stringify([measure, filter.event, tests, attribute, windowOf(window)]);
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const index = this.terms.length;
    const passes = compileFilter(where, this.attributeTypes[filter.event] ?? {});
    this.terms.push({ index, event: filter.event, measure, passes, attribute, window: windowOf(window) });
    this.known.set(key, index);
    return index;
  }
}
