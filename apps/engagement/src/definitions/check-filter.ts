import { AttributeType } from '@podium/messages';
import { isPlainText } from '@podium/runtime/http';
import { AttributeTest, CompareOp, Filter } from '../evaluation/condition';
import { orderedTypes, parseTyped, summableTypes, typeForms } from '../evaluation/typed-value';
import { CatalogueEvent, PlatformCatalogue } from './catalogue';
import { choiceOf, fieldsOf, listOf, malformed, refused } from './body-problems';

const maxTests = 20;
const maxChoices = 100;

/** Operators that compare a term's value. */
export const compareOps = ['eq', 'ne', 'lt', 'lte', 'gt', 'gte'] as const satisfies readonly CompareOp[];

const testOps = [...compareOps, 'in', 'exists', 'not_exists'] as const;
const equalityOps: readonly string[] = ['eq', 'ne'];

/** Checks which events a condition names against what was negotiated, and gathers the attribute types that it needs. */
export class FilterCheck {
  private readonly types = new Map<string, Map<string, AttributeType>>();

  constructor(private readonly catalogue: PlatformCatalogue) {}

  /** Types by event and attribute, own properties only: a name may be `__proto__`. */
  attributeTypes(): Record<string, Record<string, AttributeType>> {
    return Object.fromEntries([...this.types].map(([event, types]) => [event, Object.fromEntries(types)]));
  }

  filter(value: unknown, path: string): Filter {
    const { event, where } = fieldsOf(value, path, ['event', 'where']);
    const name = this.eventName(event, `${path}.event`);
    if (where === undefined || (Array.isArray(where) && where.length === 0)) return { event: name };
    return { event: name, where: this.tests(where, name, `${path}.where`) };
  }

  eventName(value: unknown, path: string): string {
    if (!isPlainText(value, 255)) throw malformed(path, 'must be the name of a negotiated event');
    const known = this.catalogue.events.get(value);
    if (!known) throw refused(path, `the event ${quoted(value)} is not negotiated for this platform (names are exact)`);
    if (known.retired) throw refused(path, `the event ${quoted(value)} is retired`);
    return value;
  }

  tests(value: unknown, event: string, path: string): AttributeTest[] {
    return listOf(value, path, maxTests).map((test, i) => this.test(test, event, `${path}[${i}]`));
  }

  summable(value: unknown, event: string, path: string): string {
    const { name, type } = this.attribute(value, event, path);
    if (!summableTypes.has(type))
      throw refused(path, `a sum needs an integer or decimal attribute; ${quoted(name)} has type ${type}`);
    return name;
  }

  private test(value: unknown, event: string, path: string): AttributeTest {
    const fields = fieldsOf(value, path, ['attribute', 'op', 'value']);
    const { name: attribute, type } = this.attribute(fields.attribute, event, `${path}.attribute`);
    const op = choiceOf(fields.op, `${path}.op`, testOps);
    if (op === 'exists' || op === 'not_exists') {
      if (fields.value !== undefined) throw malformed(`${path}.value`, `${op} takes no value`);
      return { attribute, op };
    }
    if (op === 'in') {
      const choices = listOf(fields.value, `${path}.value`, maxChoices);
      return { attribute, op, value: choices.map((choice, i) => constant(choice, type, `${path}.value[${i}]`)) };
    }
    if (!equalityOps.includes(op) && !orderedTypes.has(type))
      throw refused(
        `${path}.op`,
        `${op} needs an integer, decimal or timestamp attribute; ${quoted(attribute)} has type ${type}`,
      );
    return { attribute, op, value: constant(fields.value, type, `${path}.value`) };
  }

  private attribute(value: unknown, event: string, path: string): { name: string; type: AttributeType } {
    if (!isPlainText(value, 255)) throw malformed(path, 'must be the name of a negotiated attribute');
    const known = (this.catalogue.events.get(event) as CatalogueEvent).attributes.get(value);
    if (!known)
      throw refused(path, `the attribute ${quoted(value)} of ${quoted(event)} is not negotiated (names are exact)`);
    if (known.retired) throw refused(path, `the attribute ${quoted(value)} of ${quoted(event)} is retired`);
    const types = this.types.get(event) ?? new Map<string, AttributeType>();
    this.types.set(event, types.set(value, known.type));
    return { name: value, type: known.type };
  }
}

function constant(value: unknown, type: AttributeType, path: string): string | number | boolean {
  const isScalar = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  const isStorable =
    typeof value !== 'string' || (value.length <= 4096 && value.isWellFormed() && !value.includes('\0'));
  if (!isScalar || !isStorable || parseTyped(type, String(value)) === null)
    throw malformed(path, `must be of type ${type}: ${typeForms[type]}`);
  return value;
}

function quoted(name: string): string {
  return JSON.stringify(name);
}
