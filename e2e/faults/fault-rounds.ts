import { setTimeout as sleep } from 'node:timers/promises';
import { SeededRandom } from '../support/seeded-random';
import { FaultContext } from './fault-context';
import { EndedFault, strike } from './fault-lane';
import { FaultKind } from './kinds/fault-kind';
import { RecoveryProbe } from './recovery-probe';
import { Struck } from './struck';

/** How rounds of faults are to go. */
export interface RoundOptions {
  readonly random: SeededRandom;
  /** Unix ms; the round of then is the last one. Each kind has been alone once in any case. */
  readonly untilMs: number;
  /** Two at once after each was alone; else one by one. */
  readonly pairs: boolean;
  readonly say: (line: string) => void;
}

/**
 * First every kind alone, in random order, then kinds by chance, two at once, until the time is over. After each round the
 * system must recover before the next one begins.
 */
export async function runFaultRounds(
  kinds: readonly FaultKind[],
  context: FaultContext,
  probe: RecoveryProbe,
  options: RoundOptions,
): Promise<Struck[]> {
  const { random, untilMs } = options;
  const struck: Struck[] = [];
  for (const kind of random.shuffled(kinds)) struck.push(...(await runRound([kind], context, probe, options)));
  while (Date.now() < untilMs) {
    const first = random.pick(kinds);
    const others = kinds.filter(({ target }) => target !== first.target);
    const round = options.pairs && others.length > 0 ? [first, random.pick(others)] : [first];
    struck.push(...(await runRound(round, context, probe, options)));
  }
  return struck;
}

/** The time to recovery of a pair counts from the end of the one that ends last, for both. */
async function runRound(
  kinds: readonly FaultKind[],
  context: FaultContext,
  probe: RecoveryProbe,
  { random, say }: RoundOptions,
): Promise<Struck[]> {
  await sleep(random.between(500, 1_500));
  const fromMs = Date.now();
  const tried = await Promise.allSettled(
    kinds.map(async (kind, at): Promise<EndedFault> => {
      const own = random.fork();
      if (at > 0) await sleep(own.between(0, 3_000));
      return strike(kind, context, own, say);
    }),
  );
  const faults = tried.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const failed = tried.flatMap((one, at): Struck[] => {
    if (one.status === 'fulfilled') return [];
    const { name } = kinds[at];
    const problem = `it could not be brought about: ${(one.reason as Error).message}`;
    say(`${name}: ${problem}`);
    return [{ name, hit: 'nothing', fromMs, endedMs: Date.now(), untilMs: Date.now(), problem }];
  });
  if (faults.length === 0) return failed;
  const endedMs = Math.max(...faults.map(({ struck }) => struck.endedMs));
  const names = faults.map(({ struck }) => struck.name);
  const round = names.join(' and ');
  try {
    const conditions = faults.map(({ isRecovered }) => isRecovered);
    const [recoveredMs] = await Promise.all([probe.isThrough(conditions), ...faults.map(({ whole }) => whole)]);
    const recoveryMs = recoveredMs - endedMs;
    say(`recovered from ${round} ${(recoveryMs / 1000).toFixed(1)} s after the end`);
    const times = { untilMs: recoveredMs, recoveryMs };
    return [...failed, ...faults.map(({ struck }) => ({ ...struck, ...besideOf(struck, names), ...times }))];
  } catch (error) {
    const problem = (error as Error).message;
    say(`not recovered from ${round}: ${problem}`);
    const end = { untilMs: Date.now(), problem };
    return [...failed, ...faults.map(({ struck }) => ({ ...struck, ...besideOf(struck, names), ...end }))];
  }
}

function besideOf({ name }: Struck, names: readonly string[]): Pick<Struck, 'beside'> {
  return { beside: names.find((other) => other !== name) };
}
