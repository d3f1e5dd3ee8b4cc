import type { AttributeType } from '@podium/messages';
import type { AttributeTest, CompareOp, Filter } from '../../src/evaluation/condition';
import type { AttributeSpec, AttributeSpecs } from '../../src/evaluation/definition';
import type { HistoryEvent } from '../../src/evaluation/history';
import { one, parseDecimal } from './exact-numbers';

/** Numbers and times in billionths; texts; booleans. */
export type Value = bigint | string | boolean;

/** Whether an event has the filter's name and passes all its tests. */
export function passes(event: HistoryEvent, filter: Filter, specs: AttributeSpecs): boolean {
  return event.name === filter.event && filter.where.every((test) => passesTest(event, test, specs));
}

/** The value of an attribute; null if it is absent (readings 9 and 10). Money also has its currency. */
export function presentValue(
  event: HistoryEvent,
  attribute: string,
  specs: AttributeSpecs,
): { value: Value; currency: string | null } | null {
  const spec = specOf(specs, event.name, attribute);
  const text = event.attributes[attribute];
  if (text === undefined) return null;
  const value = parseValue(spec.type, text);
  if (value === null) return null;
  if (spec.nonNegative && typeof value === 'bigint' && value < 0n) return null;
  if (spec.currencyAttribute === undefined) return { value, currency: null };
  const currency = event.attributes[spec.currencyAttribute];
  if (currency === undefined || parseValue('currency', currency) === null) return null;
  const firstContractVersion = spec.currencies?.[currency];
  if (firstContractVersion === undefined || event.contractVersion < firstContractVersion) return null;
  return { value, currency };
}

/** The number of an attribute, of money only in this currency; null if it is absent. */
export function presentNumber(
  event: HistoryEvent,
  attribute: string,
  currency: string | undefined,
  specs: AttributeSpecs,
): bigint | null {
  const present = presentValue(event, attribute, specs);
  if (present === null || present.currency !== (currency ?? null)) return null;
  if (typeof present.value !== 'bigint') throw new Error(`${attribute} is not a number`);
  return present.value;
}

/** Whether a comparison of two values of one type is true. */
export function compare(left: Value, op: CompareOp, right: Value): boolean {
  switch (op) {
    case 'eq':
      return left === right;
    case 'ne':
      return left !== right;
    case 'lt':
      return left < right;
    case 'lte':
      return left <= right;
    case 'gt':
      return left > right;
    case 'gte':
      return left >= right;
  }
}

function passesTest(event: HistoryEvent, test: AttributeTest, specs: AttributeSpecs): boolean {
  const present = presentValue(event, test.attribute, specs);
  if (!('value' in test)) return (present !== null) === (test.op === 'exists');
  if (present === null || present.currency !== (test.currency ?? null)) return false;
  const { type } = specOf(specs, event.name, test.attribute);
  return test.op === 'in'
    ? test.value.some((text) => present.value === parseConstant(type, text))
    : compare(present.value, test.op, parseConstant(type, test.value));
}

function specOf(specs: AttributeSpecs, event: string, attribute: string): AttributeSpec {
  const spec = specs[event]?.[attribute];
  if (spec === undefined) throw new Error(`${event} has no attribute ${attribute}`);
  return spec;
}

function parseConstant(type: AttributeType, text: string): Value {
  const value = parseValue(type, text);
  if (value === null) throw new Error(`${text} is not a ${type}`);
  return value;
}

/** The value of a text (reading 10); null if it does not parse. */
export function parseValue(type: AttributeType, text: string): Value | null {
  switch (type) {
    case 'string':
      return text;
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : null;
    case 'currency':
      return /^[A-Z]{3}$/.test(text) ? text : null;
    case 'integer':
      return /^[+-]?\d+$/.test(text) ? parseDecimal(text) : null;
    case 'decimal':
      return parseDecimal(text);
    case 'timestamp':
      return parseTimestamp(text);
  }
}

const timestampPattern = /^(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(?:[Zz]|([+-])(\d\d):(\d\d))$/;

function parseTimestamp(text: string): bigint | null {
  if (/^\d{1,12}$/.test(text)) return BigInt(text) * one;
  const match = timestampPattern.exec(text);
  if (match === null) return null;
  const [, date, time, fraction = '', sign, hours = '0', minutes = '0'] = match;
  const atMs = Date.parse(`${date}T${time}Z`);
  // Date.parse accepts days that a month does not have, and the hour 24.
  if (Number.isNaN(atMs) || new Date(atMs).toISOString().slice(0, 19) !== `${date}T${time}`) return null;
  if (Number(hours) > 23 || Number(minutes) > 59) return null;
  const offsetS = (Number(hours) * 3600 + Number(minutes) * 60) * (sign === '-' ? -1 : 1);
  return BigInt(atMs / 1000 - offsetS) * one + BigInt(fraction.padEnd(9, '0'));
}
