/** Digits after the point of a rate, and those before it. */
export const rateDigits = { whole: 9, fraction: 12 } as const;

/** A rate of exchange: one unit of `from` was `rate` units of `to` on a UTC day. */
export interface DailyRate {
  readonly from: string;
  readonly to: string;
  /** Unix seconds at which the day begins. */
  readonly dayS: number;
  /** Above 0, in units of the last digit that a rate may have. */
  readonly rate: bigint;
}

/** The approved rates of an organizer. */
export interface Rates {
  /**
   * The rate of the last day before `dayS` that has one for the pair, in units of the last digit of a rate; null without any
   * (docs/engine.md, reading 14). Only the pair itself counts, neither its inverse nor a way through a third currency.
   */
  before(from: string, to: string, dayS: number): bigint | null;
}

/** An organizer without rates. */
export const noRates: Rates = { before: () => null };

/** The rates for lookup, from rates in any order. */
export function ratesOf(all: readonly DailyRate[]): Rates {
  const byPair = new Map<string, DailyRate[]>();
  for (const rate of all) {
    const pair = pairKey(rate.from, rate.to);
    const known = byPair.get(pair);
    if (known) known.push(rate);
    else byPair.set(pair, [rate]);
  }
  for (const rates of byPair.values()) rates.sort((a, b) => a.dayS - b.dayS);
  return {
    before: (from, to, dayS) => {
      const rates = byPair.get(pairKey(from, to)) ?? [];
      let [low, high] = [0, rates.length];
      while (low < high) {
        const middle = (low + high) >>> 1;
        if (rates[middle].dayS < dayS) low = middle + 1;
        else high = middle;
      }
      return low === 0 ? null : rates[low - 1].rate;
    },
  };
}

const ratePattern = new RegExp(`^(\\d{1,${rateDigits.whole}})(?:\\.(\\d{1,${rateDigits.fraction}}))?$`);

/** A plain decimal above 0 in units of the last digit of a rate; null for everything else. */
export function parseRate(text: string): bigint | null {
  const match = ratePattern.exec(text);
  if (!match) return null;
  const rate = BigInt(match[1] + (match[2] ?? '').padEnd(rateDigits.fraction, '0'));
  return rate > 0n ? rate : null;
}

function pairKey(from: string, to: string): string {
  return `${from}/${to}`;
}
