import { medianOf } from '../support/latencies';
import { SizeComparison } from './compare-sizes';
import { row } from './row';

/** One uncached request at a time in both worlds, as printed with `--json`. */
export interface SizeSummary {
  readonly name: string;
  readonly smallP50Ms: number;
  readonly bigP50Ms: number;
  /** The latency in the big world divided by that in the small one: the median of the rounds' ratios, and the ratios. */
  readonly bigBySmall: number;
  readonly ratios: readonly number[];
  readonly smallPageBytes: number;
  readonly bigPageBytes: number;
  readonly refused: number;
}

/** Computes the medians of a comparison. */
export function summarizeSizes({ name, rounds, smallPageBytes, bigPageBytes, refused }: SizeComparison): SizeSummary {
  const ratios = rounds.map(({ smallP50Ms, bigP50Ms }) => bigP50Ms / smallP50Ms);
  return {
    name,
    smallP50Ms: medianOf(rounds.map(({ smallP50Ms }) => smallP50Ms)),
    bigP50Ms: medianOf(rounds.map(({ bigP50Ms }) => bigP50Ms)),
    bigBySmall: medianOf(ratios),
    ratios,
    smallPageBytes,
    bigPageBytes,
    refused,
  };
}

/** A table of the comparisons. */
export function describeSizes(sizes: readonly SizeSummary[]): string[] {
  return [
    '',
    row([
      'Uncached, both worlds in turn',
      'small p50',
      'big p50',
      'big/small',
      'small kB',
      'big kB',
      'not 200',
      'rounds',
    ]),
    ...sizes.map(({ name, smallP50Ms, bigP50Ms, bigBySmall, ratios, smallPageBytes, bigPageBytes, refused }) =>
      row([
        name,
        smallP50Ms.toFixed(3),
        bigP50Ms.toFixed(3),
        bigBySmall.toFixed(2),
        (smallPageBytes / 1000).toFixed(1),
        (bigPageBytes / 1000).toFixed(1),
        String(refused),
        ratios.map((ratio) => ratio.toFixed(2)).join(' '),
      ]),
    ),
  ];
}
