/** Decimals are stored as bigint billionths, so that sums are exact in any order. */
const fractionDigits = 9;
const scale = 10n ** BigInt(fractionDigits);

const attributePattern = /^-?[0-9]{1,18}(?:\.[0-9]{1,9})?$/;

/**
 * Billionths of a partner's or operator's decimal: plain digits, at most 18 before and 9 after the point; null for
 * everything else (exponents, blanks, signs other than a leading minus).
 */
export function parseDecimal(text: string): bigint | null {
  return attributePattern.test(text) ? toBillionths(text) : null;
}

/** Billionths of a decimal that this service computed, whose whole part may have more than 18 digits. */
export function toBillionths(text: string): bigint {
  const point = text.indexOf('.');
  if (point === -1) return BigInt(text) * scale;
  const fraction = text.slice(point + 1).padEnd(fractionDigits, '0');
  return BigInt(text.slice(0, point) + fraction.slice(0, fractionDigits));
}

/** The shortest plain decimal of billionths. */
export function formatDecimal(billionths: bigint): string {
  const magnitude = billionths < 0n ? -billionths : billionths;
  const fraction = (magnitude % scale).toString().padStart(fractionDigits, '0').replace(/0+$/, '');
  const sign = billionths < 0n ? '-' : '';
  return `${sign}${magnitude / scale}${fraction === '' ? '' : `.${fraction}`}`;
}

/** The exact sum of two decimals. */
export function addDecimals(a: string, b: string): string {
  if (a === '0') return b;
  if (b === '0') return a;
  return formatDecimal(toBillionths(a) + toBillionths(b));
}
