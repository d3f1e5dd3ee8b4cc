import { orderedTypes, summableTypes } from '@podium/messages';
import { isPlainText } from '@podium/runtime/http';
import { CompareOp } from '../evaluation/condition';
import { AttributeSpec, AttributeSpecs } from '../evaluation/definition';
import { choiceOf, fieldsOf, listOf, malformed, refused } from './body-problems';
import { CatalogueEvent, PlatformCatalogue } from './catalogue';
import { constantOf } from './check-value';
import { Scalar, WrittenFilter, WrittenTest } from './written-body';

const maxTests = 20;
const maxChoices = 100;

/** So many negotiated names stand in a message. */
const maxNamesShown = 20;

/** Operators that compare with one value. */
export const compareOps = ['eq', 'ne', 'lt', 'lte', 'gt', 'gte'] as const satisfies readonly CompareOp[];

/** All operators of tests. */
const testOps = [...compareOps, 'in', 'exists', 'not_exists'] as const;

const equalityOps: readonly string[] = ['eq', 'ne'];

/** A negotiated attribute that a condition names. */
export interface NamedAttribute {
  readonly name: string;
  readonly spec: AttributeSpec;
}

/** Checks which events and attributes a definition names against what was negotiated, and gathers their specifications. */
export class FilterCheck {
  private readonly named = new Map<string, Map<string, AttributeSpec>>();

  constructor(private readonly catalogue: PlatformCatalogue) {}

  /** Specifications by event and attribute, own properties only: a name may be `__proto__`. */
  specs(): AttributeSpecs {
    return Object.fromEntries([...this.named].map(([event, specs]) => [event, Object.fromEntries(specs)]));
  }

  filter(value: unknown, path: string): WrittenFilter {
    const { event, where } = fieldsOf(value, path, ['event', 'where']);
    const name = this.eventName(event, `${path}.event`);
    if (where === undefined || (Array.isArray(where) && where.length === 0)) return { event: name };
    return { event: name, where: this.tests(where, name, `${path}.where`) };
  }

  eventName(value: unknown, path: string): string {
    if (!isPlainText(value, 255)) throw malformed(path, 'must be the name of a negotiated event');
    const known = this.catalogue.events.get(value);
    if (!known)
      throw refused(
        path,
        `the event ${quoted(value)} is not negotiated for this platform (names are exact); ${negotiated('events', this.catalogue.events)}`,
      );
    if (known.retired) throw refused(path, `the event ${quoted(value)} is retired`);
    return value;
  }

  tests(value: unknown, event: string, path: string): WrittenTest[] {
    return listOf(value, path, maxTests).map((test, i) => this.test(test, event, `${path}[${i}]`));
  }

  attribute(value: unknown, event: string, path: string): NamedAttribute {
    if (!isPlainText(value, 255)) throw malformed(path, 'must be the name of a negotiated attribute');
    const { attributes } = this.catalogue.events.get(event) as CatalogueEvent;
    const known = attributes.get(value);
    if (!known)
      throw refused(
        path,
        `the attribute ${quoted(value)} of ${quoted(event)} is not negotiated (names are exact); ${negotiated('attributes', attributes)}`,
      );
    if (known.retired) throw refused(path, `the attribute ${quoted(value)} of ${quoted(event)} is retired`);
    const specs = this.named.get(event) ?? new Map<string, AttributeSpec>();
    this.named.set(event, specs.set(value, known.spec));
    return { name: value, spec: known.spec };
  }

  /** The attribute of a sum, or of the least or greatest value. */
  aggregated(head: 'sum' | 'min' | 'max', value: unknown, event: string, path: string): NamedAttribute {
    const found = this.attribute(value, event, path);
    const { type } = found.spec;
    if (!(head === 'sum' ? summableTypes : orderedTypes).has(type))
      throw refused(
        path,
        `a ${head} needs ${head === 'sum' ? 'an integer or decimal' : 'an integer, decimal or timestamp'} attribute; ${quoted(found.name)} has type ${type}`,
      );
    return found;
  }

  private test(value: unknown, event: string, path: string): WrittenTest {
    const fields = fieldsOf(value, path, ['attribute', 'op', 'value', 'currency']);
    const { name: attribute, spec } = this.attribute(fields.attribute, event, `${path}.attribute`);
    const op = choiceOf(fields.op, `${path}.op`, testOps);
    if (op === 'exists' || op === 'not_exists') {
      for (const field of ['value', 'currency'])
        if (fields[field] !== undefined) throw malformed(`${path}.${field}`, `${op} takes no ${field}`);
      return { attribute, op };
    }
    const inCurrency = currencyOf(fields.currency, { name: attribute, spec }, `${path}.currency`);
    const constant = (given: unknown, at: string): Scalar => constantOf(given, spec.type, at);
    if (op === 'in') {
      const choices = listOf(fields.value, `${path}.value`, maxChoices);
      return {
        attribute,
        op,
        value: choices.map((choice, i) => constant(choice, `${path}.value[${i}]`)),
        ...inCurrency,
      };
    }
    if (!equalityOps.includes(op) && !orderedTypes.has(spec.type))
      throw refused(
        `${path}.op`,
        `${op} needs an integer, decimal or timestamp attribute; ${quoted(attribute)} has type ${spec.type}`,
      );
    return { attribute, op, value: constant(fields.value, `${path}.value`), ...inCurrency };
  }
}

/** The currency in which money is compared or summed: required for money, refused for everything else. */
export function currencyOf(
  value: unknown,
  { name, spec }: NamedAttribute,
  path: string,
): { readonly currency?: string } {
  if (spec.currencyAttribute === undefined) {
    if (value !== undefined) throw refused(path, `${quoted(name)} is not money: its contract names no currency for it`);
    return {};
  }
  const known = Object.keys(spec.currencies ?? {}).sort();
  if (value === undefined)
    throw malformed(path, `${quoted(name)} is money: name the currency, one of ${known.join(', ')}`);
  return { currency: choiceOf(value, path, known) };
}

/** The names that may be used, as the end of a sentence. */
function negotiated(what: string, known: ReadonlyMap<string, { readonly retired: boolean }>): string {
  const names = [...known].flatMap(([name, { retired }]) => (retired ? [] : [quoted(name)]));
  if (names.length === 0) return `no ${what} are negotiated`;
  const more = names.length > maxNamesShown ? ` and ${names.length - maxNamesShown} more` : '';
  return `negotiated ${what} are ${names.slice(0, maxNamesShown).join(', ')}${more}`;
}

/** A name as it stands in messages. */
export function quoted(name: string): string {
  return JSON.stringify(name);
}
