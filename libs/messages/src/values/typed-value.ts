import { AttributeType } from '../events/integration';
import { parseDecimal, parseInteger } from './decimal-text';

/** A value in comparable form: numbers and times as bigint billionths, texts compared byte for byte, booleans. */
export type TypedValue = bigint | string | boolean;

/** Types whose values have an order. */
export const orderedTypes: ReadonlySet<AttributeType> = new Set<AttributeType>(['integer', 'decimal', 'timestamp']);

/** Types whose values can be summed. */
export const summableTypes: ReadonlySet<AttributeType> = new Set<AttributeType>(['integer', 'decimal']);

/** The text format of each type, for messages. */
export const typeForms: Record<AttributeType, string> = {
  string: 'any text',
  integer: 'at most 18 digits, with an optional sign',
  decimal: 'digits with an optional sign, point and exponent, at most 18 digits before and 9 after the point',
  boolean: 'true or false',
  timestamp: 'Unix seconds or an RFC 3339 time with its offset',
  currency: 'a code of three capital letters (ISO 4217)',
};

/**
 * The value of a text of a type; null when it does not parse, which conditions treat as absent. A negative number does not parse
 * where the attribute is declared `non_negative` (docs/engine.md, reading 10).
 */
export function parseTyped(type: AttributeType, text: string, isNonNegative = false): TypedValue | null {
  switch (type) {
    case 'string':
      return text;
    case 'integer':
      return withSign(parseInteger(text), isNonNegative);
    case 'decimal':
      return withSign(parseDecimal(text), isNonNegative);
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : null;
    case 'timestamp':
      return parseTimestamp(text);
    case 'currency':
      return /^[A-Z]{3}$/.test(text) ? text : null;
  }
}

function withSign(value: bigint | null, isNonNegative: boolean): bigint | null {
  return isNonNegative && value !== null && value < 0n ? null : value;
}

const timestampPattern =
  /^([0-9]{4})-([0-9]{2})-([0-9]{2})[Tt]([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]{1,9}))?(?:[Zz]|([+-])([0-9]{2}):([0-9]{2}))$/;

/** Billionths of Unix seconds; RFC 3339 without leap seconds, which Unix time does not have. */
function parseTimestamp(text: string): bigint | null {
  if (/^[0-9]{1,12}$/.test(text)) return parseDecimal(text);
  const match = timestampPattern.exec(text);
  if (!match) return null;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number);
  const [offsetHour, offsetMinute] = [Number(match[9] ?? 0), Number(match[10] ?? 0)];
  if (hour > 23 || minute > 59 || second > 59 || offsetHour > 23 || offsetMinute > 59) return null;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null;
  const offsetS = (match[8] === '-' ? -1 : 1) * (offsetHour * 3600 + offsetMinute * 60);
  const wholeS = date.getTime() / 1000 + hour * 3600 + minute * 60 + second - offsetS;
  return BigInt(wholeS) * 1_000_000_000n + BigInt((match[7] ?? '').padEnd(9, '0'));
}
