import { setTimeout as sleep } from 'node:timers/promises';
import { SeededRandom } from '@podium/testing/seeded-random';
import { FaultContext } from './fault-context';
import { FaultKind } from './kinds/fault-kind';
import { FaultRecord } from './fault-record';

/**
 * Injects one fault after the other, each kind once in random order, concurrently with other lanes: a service may be killed
 * while a server is down. Recovery is not measured, because faults of other lanes overlap.
 */
export async function runFaultLane(
  kinds: readonly FaultKind[],
  context: FaultContext,
  options: { random: SeededRandom; say: (line: string) => void; isStopped: () => boolean },
): Promise<FaultRecord[]> {
  const { random, say, isStopped } = options;
  const struck: FaultRecord[] = [];
  for (const kind of random.shuffled(kinds)) {
    await sleep(random.between(500, 2_500));
    if (isStopped()) return struck;
    const fault = await strike(kind, context, random, say);
    await fault.whole;
    struck.push({ ...fault.struck, untilMs: Date.now() });
  }
  return struck;
}

/** A fault whose cause was removed; its target may not serve yet. */
export interface EndedFault {
  readonly struck: FaultRecord;
  /** Resolves when the target serves again. */
  readonly whole: Promise<void>;
  /** A condition that the probe does not check. */
  readonly isRecovered: () => Promise<boolean>;
}

/** Begins a fault, waits for its duration, and removes its cause. */
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
  // Marked as handled: the caller that awaits it gets the rejection.
  whole.catch(() => undefined);
  return {
    struck: { name: kind.name, hit: begun.hit, fromMs, endedMs, untilMs: endedMs },
    whole,
    isRecovered: () => begun.isRecovered?.() ?? Promise.resolve(true),
  };
}
