/** Digits after the point of a decimal: decimals are bigint billionths, so that sums are exact in any order. */
export const fractionDigits = 9;
const wholeDigits = 18;

const decimalPattern = /^([+-]?)(?:(\d+)(?:\.(\d*))?|\.(\d+))(?:[eE]([+-]?\d{1,3}))?$/;

/**
 * Billionths of a decimal: optional sign, digits with an optional point, optional exponent; the value has at most 18 digits
 * before and 9 after the point. Null for everything else, separators too (docs/engine.md, reading 10).
 */
export function parseDecimal(text: string): bigint | null {
  if (text !== lastText) {
    lastValue = parseNext(text);
    lastText = text;
  }
  return lastValue;
}

/** Several definitions read the same value of an event, one after the other. */
let lastText = '';
let lastValue: bigint | null = null;

function parseNext(text: string): bigint | null {
  return parsePlain(text) ?? parseAny(text);
}

/** JavaScript's numbers of so many digits are exact. */
const plainDigits = 15;

/** Nearly all decimals, without the texts that a pattern makes: few digits, and a point after the first. Null for everything else. */
function parsePlain(text: string): bigint | null {
  if (text.length === 0 || text.length > plainDigits) return null;
  let value = 0;
  let point = -1;
  for (let at = 0; at < text.length; at++) {
    const digit = text.charCodeAt(at) - 48;
    if (digit >= 0 && digit <= 9) value = value * 10 + digit;
    else if (digit === -2 && point === -1 && at > 0) point = at;
    else return null;
  }
  const power = point === -1 ? fractionDigits : fractionDigits - (text.length - point - 1);
  return power < 0 ? null : BigInt(value) * powersOfTen[power];
}

const powersOfTen = Array.from({ length: fractionDigits + 1 }, (_, power) => 10n ** BigInt(power));

function parseAny(text: string): bigint | null {
  const match = decimalPattern.exec(text);
  if (!match) return null;
  const fraction = match[3] ?? match[4] ?? '';
  const digits = `${match[2] ?? ''}${fraction}`.replace(/^0+/, '');
  if (digits === '') return 0n;
  const significant = withoutFinalZeros(digits);
  const power = Number(match[5] ?? 0) - fraction.length + digits.length - significant.length;
  if (power < -fractionDigits || significant.length + power > wholeDigits) return null;
  const magnitude = BigInt(significant) * 10n ** BigInt(power + fractionDigits);
  return match[1] === '-' ? -magnitude : magnitude;
}

/** A loop, because a pattern takes quadratic time for long runs of zeros in the middle. */
function withoutFinalZeros(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
}

/** Billionths of an integer of at most 18 digits; null for everything else. */
export function parseInteger(text: string): bigint | null {
  return /^[+-]?\d+$/.test(text) ? parseDecimal(text) : null;
}
