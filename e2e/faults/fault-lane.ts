import { setTimeout as sleep } from 'node:timers/promises';
import { SeededRandom } from '../support/seeded-random';
import { Fault } from './faults';

/** A fault that has been. */
export interface Struck {
  readonly name: string;
  readonly hit: string;
  readonly fromMs: number;
  readonly untilMs: number;
}

/**
 * Strikes one fault after the other, each once in random order and then anew until the time is over. Two lanes side by
 * side let a service die while a server is away.
 */
export async function runFaultLane(
  faults: readonly Fault[],
  options: { random: SeededRandom; untilMs: number; say: (line: string) => void; isStopped: () => boolean },
): Promise<Struck[]> {
  const { random, untilMs, say, isStopped } = options;
  const struck: Struck[] = [];
  do {
    for (const fault of random.shuffled(faults)) {
      await sleep(random.between(500, 2_500));
      if (isStopped()) return struck;
      const fromMs = Date.now();
      say(`${fault.name} …`);
      const hit = await fault.strike(random);
      struck.push({ name: fault.name, hit, fromMs, untilMs: Date.now() });
      say(`${fault.name}: ${hit}, over after ${((Date.now() - fromMs) / 1000).toFixed(1)} s`);
    }
  } while (Date.now() < untilMs);
  return struck;
}
