import { setTimeout as sleep } from 'node:timers/promises';
import { SeededRandom } from '../support/seeded-random';
import { FaultContext } from './fault-context';
import { FaultKind } from './kinds/fault-kind';
import { Struck } from './struck';

/**
 * One fault after the other, each kind once in random order, whatever lanes beside this one do: a service may die while a
 * server is away. Recovery is not measured, because others are broken meanwhile.
 */
export async function runFaultLane(
  kinds: readonly FaultKind[],
  context: FaultContext,
  options: { random: SeededRandom; say: (line: string) => void; isStopped: () => boolean },
): Promise<Struck[]> {
  const { random, say, isStopped } = options;
  const struck: Struck[] = [];
  for (const kind of random.shuffled(kinds)) {
    await sleep(random.between(500, 2_500));
    if (isStopped()) return struck;
    const fault = await strike(kind, context, random, say);
    await fault.whole;
    struck.push({ ...fault.struck, untilMs: Date.now() });
  }
  return struck;
}

/** A fault whose cause was taken away; what was hit may not serve yet. */
export interface EndedFault {
  readonly struck: Struck;
  /** Resolves when what was hit serves again. */
  readonly whole: Promise<void>;
  /** More than the probe sees. */
  readonly isRecovered: () => Promise<boolean>;
}

/** Begins a fault, lets it last, and takes its cause away. */
export async function strike(
  kind: FaultKind,
  context: FaultContext,
  random: SeededRandom,
  say: (line: string) => void,
): Promise<EndedFault> {
  const fromMs = Date.now();
  say(`${kind.name} …`);
  const begun = await kind.begin(context, random);
  await sleep(begun.lastsMs);
  const endedMs = Date.now();
  const whole = begun
    .end()
    .then(() => say(`${kind.name}: ${begun.hit}, over after ${((Date.now() - fromMs) / 1000).toFixed(1)} s`));
  // Thrown where it is awaited.
  whole.catch(() => undefined);
  return {
    struck: { name: kind.name, hit: begun.hit, fromMs, endedMs, untilMs: endedMs },
    whole,
    isRecovered: () => begun.isRecovered?.() ?? Promise.resolve(true),
  };
}
