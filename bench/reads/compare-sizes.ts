import { Progress } from '../../tools/stack/progress';
import { MeasuredOperation } from './operations';
import { ReadsOptions } from './options';
import { ReadsStack, loadOf } from './reads-stack';
import { showWorld } from './worlds';

/** One uncached request at a time, in the small world and then in the big one. */
export interface SizeRound {
  readonly smallP50Ms: number;
  readonly bigP50Ms: number;
}

/** All rounds of one operation. */
export interface SizeComparison {
  readonly name: string;
  readonly rounds: readonly SizeRound[];
  /** Mean sizes of a response's body: a longer page takes longer in any world. */
  readonly smallPageBytes: number;
  readonly bigPageBytes: number;
  /** Responses other than 200. */
  readonly refused: number;
}

/**
 * Compares both worlds in turn, so that the machine is the same for both: each round shows one world after the other and measures
 * all operations in it. At the end the big world is the live one.
 */
export async function compareSizes(
  bench: ReadsStack,
  small: readonly MeasuredOperation[],
  big: readonly MeasuredOperation[],
  options: ReadsOptions,
  progress: Progress,
): Promise<SizeComparison[]> {
  const smallRounds: WorldRound[] = [];
  const bigRounds: WorldRound[] = [];
  for (let round = 1; round <= options.rounds; round++)
    await progress.step(`Both worlds in turn, one request at a time, round ${round}`, async () => {
      await showWorld(bench.stack, 'smaller');
      smallRounds.push(await measureAlone(bench, small, options));
      await showWorld(bench.stack, 'larger');
      bigRounds.push(await measureAlone(bench, big, options));
    });
  return big.map(({ name, pageBytes }, at) => ({
    name,
    rounds: smallRounds.map((smallRound, round) => ({
      smallP50Ms: smallRound[at].p50Ms,
      bigP50Ms: bigRounds[round][at].p50Ms,
    })),
    smallPageBytes: small[at].pageBytes,
    bigPageBytes: pageBytes,
    refused: [...smallRounds, ...bigRounds].reduce((sum, worldRound) => sum + worldRound[at].refused, 0),
  }));
}

/** One world in one round, by operation. */
type WorldRound = readonly { readonly p50Ms: number; readonly refused: number }[];

async function measureAlone(
  bench: ReadsStack,
  operations: readonly MeasuredOperation[],
  options: ReadsOptions,
): Promise<WorldRound> {
  const figures: { p50Ms: number; refused: number }[] = [];
  for (const { paths } of operations) {
    const { p50Ms, refused } = await bench.measure('uncached', paths, { ...loadOf(options), connections: 1 });
    figures.push({ p50Ms, refused: Object.values(refused).reduce((sum, count) => sum + count, 0) });
  }
  return figures;
}
