import { AttributeType } from '../events/integration';
import { parseDecimal } from './decimal-text';

/** A type whose texts have a form of their own. */
export type PatternedType = Exclude<AttributeType, 'string' | 'boolean'>;

/** How an attribute is negotiated, as far as it decides which texts parse. */
export interface DeclaredValue {
  readonly type: AttributeType;
  /** A negative integer or decimal does not parse. */
  readonly non_negative?: boolean;
}

// Each alternative begins with another character, so that a text is matched or refused in linear time.
const wholePart = '(?:0+|0*[1-9][0-9]{0,17})';
const plainDecimal = `(?:${wholePart}(?:\\.(?:[0-9]{0,8}|[0-9]{9}0*))?|\\.(?:[0-9]{1,8}|[0-9]{9}0*))`;
const exponentDecimal = '(?:[0-9]+(?:\\.[0-9]*)?|\\.[0-9]+)[eE][+-]?[0-9]{1,3}';

const leapYear = '(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)';
const dayOfYear =
  '(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))';
const date = `(?:[0-9]{4}-${dayOfYear}|${leapYear}-02-29)`;
const time = '(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\\.[0-9]{1,9})?';
const hours = '[+-](?:[01][0-9]|2[0-3]):[0-5][0-9]';
const offset = `(?:[Zz]|${hours})`;

const clock = `T${time}(?:Z|${hours})`;
/** A date-time of RFC 3339 in capital letters, of a date that exists. OpenAPI knows a date-time by its first characters. */
export const dateTimePattern = `^\\d{4}-${dayOfYear}${clock}$|^${leapYear}-02-29${clock}$`;

/** The forms without a sign; only numbers may have one. */
const forms: Readonly<Record<PatternedType, string>> = {
  integer: wholePart,
  decimal: `(?:${plainDecimal}|${exponentDecimal})`,
  timestamp: `(?:[0-9]{1,12}|${date}[Tt]${time}${offset})`,
  currency: '[A-Z]{3}',
};

/** A zero is not negative, whatever its sign. */
const zeros = { integer: '0+', decimal: '(?:0+(?:\\.0*)?|\\.0+)(?:[eE][+-]?[0-9]{1,3})?' } as const;

/**
 * A regular expression for the texts that parse as a type (docs/engine.md, reading 10), in the syntax that ECMAScript, RE2 and
 * Python have in common. It is exact, except that the digits of a decimal with an exponent are not counted.
 */
export function valuePattern({ type, non_negative: nonNegative }: DeclaredValue & { type: PatternedType }): string {
  if (type !== 'integer' && type !== 'decimal') return `^${forms[type]}$`;
  return nonNegative === true ? `^(?:\\+?${forms[type]}|-${zeros[type]})$` : `^[+-]?${forms[type]}$`;
}

/** Whether a text parses as declared, without the cost of its value; undefined for texts, all of which do. */
export function valueCheck(declared: DeclaredValue): ((text: string) => boolean) | undefined {
  const { type } = declared;
  if (type === 'string') return undefined;
  if (type === 'boolean') return (text) => text === 'true' || text === 'false';
  const pattern = new RegExp(valuePattern({ ...declared, type }));
  if (type !== 'decimal') return (text) => pattern.test(text);
  return (text) => pattern.test(text) && (!/[eE]/.test(text) || parseDecimal(text) !== null);
}
