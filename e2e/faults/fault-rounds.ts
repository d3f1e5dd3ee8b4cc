import { setTimeout as sleep } from 'node:timers/promises';
import { SeededRandom } from '@podium/testing/seeded-random';
import { FaultContext } from './fault-context';
import { EndedFault, strike } from './fault-lane';
import { FaultKind } from './kinds/fault-kind';
import { RecoveryProbe } from './recovery-probe';
import { FaultRecord } from './fault-record';

/** Options of rounds of faults. */
export interface RoundOptions {
  readonly random: SeededRandom;
  /** Unix ms after which no further round begins. Each kind always runs alone once. */
  readonly untilMs: number;
  /** Inject two faults at once after each kind ran alone; otherwise one at a time. */
  readonly pairs: boolean;
  readonly say: (line: string) => void;
}

/**
 * Injects every kind alone in random order, then random pairs until the time is over. The system must recover from each round
 * before the next one begins.
 */
export async function runFaultRounds(
  kinds: readonly FaultKind[],
  context: FaultContext,
  probe: RecoveryProbe,
  options: RoundOptions,
): Promise<FaultRecord[]> {
  const { random, untilMs } = options;
  const struck: FaultRecord[] = [];
  for (const kind of random.shuffled(kinds)) struck.push(...(await runRound([kind], context, probe, options)));
  while (Date.now() < untilMs) {
    const first = random.pick(kinds);
    const others = kinds.filter(({ target }) => target !== first.target);
    const round = options.pairs && others.length > 0 ? [first, random.pick(others)] : [first];
    struck.push(...(await runRound(round, context, probe, options)));
  }
  return struck;
}

/** For both faults of a pair, the time to recovery starts at the end of the later one. */
async function runRound(
  kinds: readonly FaultKind[],
  context: FaultContext,
  probe: RecoveryProbe,
  { random, say }: RoundOptions,
): Promise<FaultRecord[]> {
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
  const failed = tried.flatMap((one, at): FaultRecord[] => {
    if (one.status === 'fulfilled') return [];
    const { name } = kinds[at];
    const problem = `the fault could not be injected: ${(one.reason as Error).message}`;
    say(`${name}: ${problem}`);
    return [{ name, hit: 'nothing', fromMs, endedMs: Date.now(), untilMs: Date.now(), isMissed: true, problem }];
  });
  if (faults.length === 0) return failed;
  const endedMs = Math.max(...faults.map(({ struck }) => struck.endedMs));
  const names = faults.map(({ struck }) => struck.name);
  const round = names.join(' and ');
  try {
    const conditions = faults.map(({ isRecovered }) => isRecovered);
    const [recoveredMs] = await Promise.all([
      probe.waitUntilRecovered(conditions),
      ...faults.map(({ whole }) => whole),
    ]);
    const recoveryMs = recoveredMs - endedMs;
    say(`recovered from ${round} ${(recoveryMs / 1000).toFixed(1)} s after the end`);
    const times = { untilMs: recoveredMs, recoveryMs };
    return [...failed, ...faults.map(({ struck }) => ({ ...struck, ...pairedWith(struck, names), ...times }))];
  } catch (error) {
    const problem = (error as Error).message;
    say(`not recovered from ${round}: ${problem}`);
    const end = { untilMs: Date.now(), problem };
    return [...failed, ...faults.map(({ struck }) => ({ ...struck, ...pairedWith(struck, names), ...end }))];
  }
}

function pairedWith({ name }: FaultRecord, names: readonly string[]): Pick<FaultRecord, 'otherOfPair'> {
  return { otherOfPair: names.find((other) => other !== name) };
}
