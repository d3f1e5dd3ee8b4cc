import { AttributeType, parseDecimal, parseTyped, typeForms } from '@podium/messages';
import { malformed } from './body-problems';
import { canonicalTime, writtenInUtc } from './canonical-value';
import { Scalar, WrittenTime } from './written-body';

const billion = 1_000_000_000n;

/** JSON numbers are exact up to so many digits. */
const exactDigits = 15;

/** A constant of a type; throws otherwise. */
export function constantOf(value: unknown, type: AttributeType, path: string): Scalar {
  const isStorable =
    typeof value !== 'string' || (value.length <= 4096 && value.isWellFormed() && !value.includes('\0'));
  if (!isScalar(value) || !isStorable || parseTyped(type, String(value)) === null)
    throw malformed(path, `must be of type ${type}: ${typeForms[type]}`);
  requireExact(value, path);
  return value;
}

/** A decimal, above 0 if `positive`; throws otherwise. */
export function decimalOf(value: unknown, path: string, positive = false): Scalar {
  const parsed = isNumeric(value) ? parseDecimal(String(value)) : null;
  if (!isNumeric(value) || parsed === null || (positive && parsed <= 0n)) {
    const form = 'with at most 18 digits before and 9 after the point';
    throw malformed(path, positive ? `must be a decimal above 0 ${form}` : `must be a decimal ${form}`);
  }
  requireExact(value, path);
  return value;
}

/** A whole number as text. */
export const wholeNumberPattern = '^[0-9]{1,9}$';

/** A whole number within bounds, as a JSON number or a text of digits; throws otherwise. */
export function wholeNumberOf(value: unknown, path: string, bounds: { min: number; max: number }): Scalar {
  if (typeof value === 'string' && !new RegExp(wholeNumberPattern).test(value)) throw notWhole(path, bounds);
  return wholeDecimalOf(value, path, bounds);
}

/** Like `wholeNumberOf`, as a JSON number or any text of a decimal: `1e2` is 100. */
export function wholeDecimalOf(value: unknown, path: string, bounds: { min: number; max: number }): Scalar {
  const parsed = isNumeric(value) ? parseDecimal(String(value)) : null;
  const outside = (at: bigint): boolean => at < BigInt(bounds.min) * billion || at > BigInt(bounds.max) * billion;
  if (!isNumeric(value) || parsed === null || parsed % billion !== 0n || outside(parsed)) throw notWhole(path, bounds);
  return value;
}

function notWhole(path: string, { min, max }: { min: number; max: number }): Error {
  return malformed(path, `must be a whole number from ${min} to ${max}`);
}

/** A whole JSON number within bounds; throws otherwise. */
export function integerOf(value: unknown, path: string, bounds: { min: number; max: number }): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < bounds.min || value > bounds.max)
    throw notWhole(path, bounds);
  return value;
}

/** A time with its offset, which can be written in UTC as a whole second; throws otherwise. */
export function timeOf(value: unknown, path: string): WrittenTime {
  if (typeof value !== 'string' || value.length > 64 || !/t/i.test(value) || parseTyped('timestamp', value) === null)
    throw malformed(path, 'must be an ISO 8601 time with its offset, for example 2026-12-01T00:00:00Z');
  const atS = canonicalTime(value);
  if (atS < writtenInUtc.firstS || atS > writtenInUtc.lastS)
    throw malformed(path, 'must lie in the years 0000 to 9999 of UTC, rounded up to whole seconds');
  return value;
}

function isNumeric(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

function isScalar(value: unknown): value is Scalar {
  return isNumeric(value) || typeof value === 'boolean';
}

/** A number that JSON may already have rounded is refused, because constants are exact. */
function requireExact(value: Scalar, path: string): void {
  if (typeof value !== 'number') return;
  const digits = String(value).replace(/e.*$/, '').replace(/\D/g, '').replace(/^0+/, '').replace(/0+$/, '');
  if (digits.length > exactDigits)
    throw malformed(path, `has more than ${exactDigits} digits; write it as a text, which is exact`);
}
