import { Progress } from '../../tools/stack/progress';
import { quantileOf } from '../support/latencies';
import { CpuSeconds } from '../support/process-cpu';
import { BareFigures } from './bare-client';
import { CheckedLink } from './load';
import { LinkTry } from './link-user';
import { LinkingStack } from './linking-stack';
import { measureBare } from './measure-bare';
import { MeasuredCpu } from './measured-cpu';
import { LinkingOptions } from './options';

/** One measurement of links. */
export interface LinkFigures {
  readonly perS: number;
  /** From the start of the flow to the page that says that the link is ready. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Of it, the request that starts the flow. */
  readonly startP50Ms: number;
  /** Pages that do not say that the link is ready. */
  readonly notReady: number;
  /** The partner's own time for its two answers. */
  readonly partnerMs: number;
  readonly cpuMsPerLink: CpuSeconds;
}

/** Both sides in one round. */
export interface LinkRound {
  readonly users: number;
  readonly linkage: LinkFigures;
  readonly bare: BareFigures & { readonly cpuMsPerLink: CpuSeconds };
}

/** Identities that are prepared for one second of one user; a link takes longer than this allows. */
const linksPerUserAndS = 40;
const linksPerSMax = 300;

/** Measures links and the bare client alternately. Returns the links too, for the checks of their users. */
export async function measureLinks(
  bench: LinkingStack,
  options: LinkingOptions,
  progress: Progress,
): Promise<{ rounds: LinkRound[]; made: CheckedLink[] }> {
  const rounds: LinkRound[] = [];
  const made: CheckedLink[] = [];
  for (const users of options.users)
    for (let round = 1; round <= options.rounds; round++) {
      const linkage = await progress.step(
        `Links, ${users} users, round ${round}`,
        () => linksOnce(bench, options, users, made),
        ({ perS, p50Ms, p99Ms }) => `${perS.toFixed(1)}/s, p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`,
      );
      const bare = await measureBare(bench, options, { grant: 'authorization_code', loops: users }, progress);
      rounds.push({ users, linkage, bare });
    }
  return { rounds, made };
}

async function linksOnce(
  bench: LinkingStack,
  options: LinkingOptions,
  users: number,
  made: CheckedLink[],
): Promise<LinkFigures> {
  const seconds = options.warmUpS + options.measureS;
  const identities = await bench.identities.take(Math.min(users * linksPerUserAndS, linksPerSMax) * seconds);
  const cpu = new MeasuredCpu(bench, options.profileDir !== undefined);
  await bench.partnerFigures();
  bench.users.tell({
    ...{ kind: 'links', gatewayUrl: bench.stack.services.publicUrl, users, integrationIds: bench.responding },
    ...{ identities, arrivals: null, warmUpMs: options.warmUpS * 1000, measureMs: options.measureS * 1000 },
  });
  await bench.users.report();
  cpu.begin();
  const report = await bench.users.report();
  const cpuS = cpu.end();
  if (report.kind !== 'linked') throw new Error(`the users reported ${report.kind}`);
  if (report.ranOut) throw new Error('there were more links than identities');
  const { tries, earlier } = report;
  bench.identities.giveBack(identities.slice(tries.length + earlier.length));
  made.push(...linksOf([...tries, ...earlier], new Map(identities.map(({ sub, token }) => [sub, token]))));
  const ready = tries.filter(({ isReady }) => isReady);
  const ms = ready.map(totalMs);
  return {
    perS: ready.length / options.measureS,
    p50Ms: quantileOf(ms, 0.5),
    p99Ms: quantileOf(ms, 0.99),
    startP50Ms: quantileOf(
      ready.map(({ startMs }) => startMs),
      0.5,
    ),
    notReady: tries.length - ready.length,
    partnerMs: 2 * (await bench.partnerFigures()).ownMs,
    cpuMsPerLink: perLink(cpuS, ready.length),
  };
}

/** From the start of the flow to the page, ms. */
export function totalMs({ startMs, callbackMs }: LinkTry): number {
  return startMs + callbackMs;
}

/** CPU milliseconds for each of so many. */
export function perLink(cpuS: CpuSeconds, count: number): CpuSeconds {
  return Object.fromEntries(Object.entries(cpuS).map(([name, seconds]) => [name, (seconds * 1000) / count]));
}

function linksOf(tries: readonly LinkTry[], tokens: ReadonlyMap<string, string>): CheckedLink[] {
  return tries
    .filter(({ isReady }) => isReady)
    .map(({ sub, integrationId }) => ({ integrationId, token: tokens.get(sub) ?? '' }));
}
