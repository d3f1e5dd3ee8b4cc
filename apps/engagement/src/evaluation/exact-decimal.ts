import { fractionDigits } from '@podium/messages';

const scale = 10n ** BigInt(fractionDigits);

/** Billionths of a decimal that this service computed, whose whole part may have more than 18 digits. */
export function toBillionths(text: string): bigint {
  const point = text.indexOf('.');
  if (point === -1) return BigInt(text) * scale;
  const fraction = text.slice(point + 1).padEnd(fractionDigits, '0');
  return BigInt(text.slice(0, point) + fraction.slice(0, fractionDigits));
}

/** The shortest plain decimal of billionths. */
export function formatDecimal(billionths: bigint): string {
  return formatScaled(billionths, fractionDigits);
}

/** The shortest plain decimal of a number in units of the last of `digits` digits after the point. */
export function formatScaled(value: bigint, digits: number): string {
  const one = digits === fractionDigits ? scale : 10n ** BigInt(digits);
  if (value % one === 0n) return String(value / one);
  const magnitude = value < 0n ? -value : value;
  const fraction = (magnitude % one).toString().padStart(digits, '0').replace(/0+$/, '');
  const sign = value < 0n ? '-' : '';
  return `${sign}${magnitude / one}${fraction === '' ? '' : `.${fraction}`}`;
}

/**
 * `percent` of a value, rounded half up (away from zero) to a number of fraction digits; all in billionths, but for a value with
 * more digits after its point.
 */
export function percentOf(value: bigint, percent: bigint, digits: number, valueDigits = fractionDigits): bigint {
  const unit = 10n ** BigInt(fractionDigits - digits);
  const divisor = 100n * scale * unit * 10n ** BigInt(valueDigits - fractionDigits);
  const product = value * percent;
  const magnitude = product < 0n ? -product : product;
  const units = (magnitude + divisor / 2n) / divisor;
  return (product < 0n ? -units : units) * unit;
}

/** A count as billionths, to compare it with a constant. */
export function countToBillionths(count: number): bigint {
  return smallCounts[count] ?? BigInt(count) * scale;
}

/** Most counts are small, and every event compares some. */
const smallCounts = Array.from({ length: 1_000 }, (_, count) => BigInt(count) * scale);
