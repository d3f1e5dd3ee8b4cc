import fc from 'fast-check';
import type { Span } from './generate-history';
import type { WorldRate } from './world';

/* Generators of approved rates: pairs on some days, before the events and among them. */

const dayS = 86_400;
const texts = ['0.9217', '1.1', '0.006123456789', '162.5', '3', '0.000000000001', '0.333333333333', '0.1', '25'];

/** Currencies to which money is converted; most amounts are in another one, and one of them is no currency of amounts. */
export const targets = ['USD', 'USD', 'USD', 'EUR', 'GBP'] as const;

/** Rates of random days, each pair and day once; more of the pairs that many amounts need. */
export function rates({ fromS, toS }: Span): fc.Arbitrary<WorldRate[]> {
  const day = fc
    .integer({ min: -2, max: (toS - fromS) / dayS })
    .map((days) => new Date((fromS + days * dayS) * 1000).toISOString().slice(0, 10));
  const pair = fc.constantFrom(
    ...Array.from({ length: 4 }, () => ['EUR', 'USD'] as const),
    ...([
      ['USD', 'EUR'],
      ['EUR', 'GBP'],
      ['JPY', 'USD'],
      ['KWD', 'EUR'],
    ] as const),
  );
  const rate = fc
    .tuple(pair, day, fc.constantFrom(...texts))
    .map(([[from, to], on, text]): WorldRate => ({ from, to, day: on, rate: text }));
  const some = {
    maxLength: 30,
    size: 'max',
    selector: (made: WorldRate) => `${made.from} ${made.to} ${made.day}`,
  } as const;
  return fc.uniqueArray(rate, some);
}
