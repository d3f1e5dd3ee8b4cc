import { one, parseDecimal } from './exact-numbers';
import type { World } from './world';

/** How many units of an aggregate are a billionth: amounts times rates have so many more digits after the point. */
export const fine = 10n ** 12n;

/** An amount in billionths as another currency, in units of an aggregate; null without an earlier rate (reading 14). */
export function converted(
  world: World,
  amount: bigint,
  pair: { readonly from: string; readonly to: string },
  atS: number,
): bigint | null {
  if (pair.from === pair.to) return amount * fine;
  const day = new Date(atS * 1000).toISOString().slice(0, 10);
  const earlier = world.rates.filter((rate) => rate.from === pair.from && rate.to === pair.to && rate.day < day);
  const last = earlier.reduce<(typeof earlier)[number] | null>(
    (found, rate) => (found === null || rate.day > found.day ? rate : found),
    null,
  );
  return last === null ? null : amount * inUnits(last.rate);
}

/** A rate with up to 12 digits after the point, as a whole number. */
function inUnits(rate: string): bigint {
  const [whole, fraction = ''] = rate.split('.');
  const digits = fraction.padEnd(12, '0');
  return (parseDecimal(whole)! / one) * fine + BigInt(digits);
}
