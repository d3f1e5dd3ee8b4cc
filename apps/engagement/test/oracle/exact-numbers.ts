/** How many billionths 1 is: all numbers of the oracle are whole billionths. */
export const one = 1_000_000_000n;

const decimalPattern = /^([+-]?)(?:(\d+)(?:\.(\d*))?|\.(\d+))(?:[eE]([+-]?\d{1,3}))?$/;

/** A decimal in billionths; null if it is none, or its value has over 18 digits before or 9 after the point (reading 10). */
export function parseDecimal(text: string): bigint | null {
  const match = decimalPattern.exec(text);
  if (match === null) return null;
  const [, sign, whole = '', fraction = '', bareFraction = '', exponent = '0'] = match;
  const after = fraction + bareFraction;
  const written = (whole + after).replace(/^0+/, '');
  const digits = written.replace(/0+$/, '');
  if (digits === '') return 0n;
  const digitsAfterPoint = after.length - Number(exponent) - (written.length - digits.length);
  if (digitsAfterPoint > 9 || digits.length - digitsAfterPoint > 18) return null;
  const size = BigInt(digits) * 10n ** BigInt(9 - digitsAfterPoint);
  return sign === '-' ? -size : size;
}

/** A constant of a definition, which validation has accepted. */
export function constant(text: string): bigint {
  const value = parseDecimal(text);
  if (value === null) throw new Error(`${text} is not a decimal`);
  return value;
}

/** The shortest decimal of a number that is not negative. */
export function formatDecimal(billionths: bigint): string {
  const fraction = String(billionths % one)
    .padStart(9, '0')
    .replace(/0+$/, '');
  return String(billionths / one) + (fraction === '' ? '' : `.${fraction}`);
}
