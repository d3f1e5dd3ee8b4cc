import { TypedValue, parseTyped } from '@podium/messages';
import { compareWith } from './compare';
import { AttributeTest, Filter } from './condition';
import { AttributeSpecs } from './definition';
import { specOf, valueReader } from './event-values';
import { HistoryEvent } from './history';

/** Whether an event passes. */
export type EventTest = (event: HistoryEvent) => boolean;

/** Compiles the tests of a filter, without its event name; a value that is missing or does not parse is absent. */
export function compileFilter({ event, where }: Filter, specs: AttributeSpecs): EventTest {
  const tests = where.map((test) => compileTest(test, event, specs));
  return (given) => tests.every((passes) => passes(given));
}

function compileTest(test: AttributeTest, event: string, specs: AttributeSpecs): EventTest {
  const { type } = specOf(specs, event, test.attribute);
  if (!('value' in test)) {
    const read = valueReader(specs, event, test.attribute);
    return test.op === 'exists' ? (given) => read(given) !== null : (given) => read(given) === null;
  }
  const read = valueReader(specs, event, test.attribute, test.currency);
  const holds = comparison(test, (value) => constantOf(parseTyped(type, value), value));
  return (given) => {
    const value = read(given);
    return value !== null && holds(value);
  };
}

function comparison(
  test: Extract<AttributeTest, { readonly value: unknown }>,
  parse: (text: string) => TypedValue,
): (value: TypedValue) => boolean {
  if (test.op !== 'in') return compareWith<TypedValue>(test.op, parse(test.value));
  const allowed = new Set(test.value.map(parse));
  return (value) => allowed.has(value);
}

function constantOf(value: TypedValue | null, text: string): TypedValue {
  if (value === null) throw new TypeError(`a published condition compares with ${text}, which is not of the type`);
  return value;
}
