import { AttributeType, EventAttribute } from '@podium/messages';
import { AttributeTest } from './condition';
import { compareWith } from './compare';
import { TypedValue, parseTyped } from './typed-value';

/** Whether an event's attributes pass all tests. */
export type EventFilter = (attributes: readonly EventAttribute[]) => boolean;

/** The types of one event's attributes by name. */
export type AttributeTypes = Readonly<Record<string, AttributeType>>;

/** Compiles the tests of a filter; a value that is missing or does not parse is absent. */
export function compileFilter(tests: readonly AttributeTest[], types: AttributeTypes): EventFilter {
  const compiled = tests.map((test) => compileTest(test, types[test.attribute]));
  return (attributes) => compiled.every((holds) => holds(attributes));
}

/** The text of an attribute; undefined when the event does not have it. Admission refuses repeated names. */
export function attributeText(attributes: readonly EventAttribute[], name: string): string | undefined {
  for (const attribute of attributes) if (attribute.name === name) return attribute.value;
  return undefined;
}

function compileTest(test: AttributeTest, type: AttributeType): EventFilter {
  const { attribute } = test;
  const valueOf = (attributes: readonly EventAttribute[]): TypedValue | null => {
    const text = attributeText(attributes, attribute);
    return text === undefined ? null : parseTyped(type, text);
  };
  switch (test.op) {
    case 'exists':
      return (attributes) => valueOf(attributes) !== null;
    case 'not_exists':
      return (attributes) => valueOf(attributes) === null;
    case 'in': {
      const allowed = new Set(test.value.map((value) => constantOf(type, value)));
      return (attributes) => {
        const value = valueOf(attributes);
        return value !== null && allowed.has(value);
      };
    }
    default: {
      const holds = compareWith<TypedValue>(test.op, constantOf(type, test.value));
      return (attributes) => {
        const value = valueOf(attributes);
        return value !== null && holds(value);
      };
    }
  }
}

function constantOf(type: AttributeType, value: string | number | boolean): TypedValue {
  const constant = parseTyped(type, String(value));
  if (constant === null) throw new TypeError(`a published condition compares a ${type} with ${String(value)}`);
  return constant;
}
