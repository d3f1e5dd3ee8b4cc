import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { Progress } from '../../tools/stack/progress';
import { withClient } from '../../tools/stack/with-client';
import { quantileOf } from '../support/latencies';
import { CpuSeconds } from '../support/process-cpu';
import { BareFigures } from './bare-client';
import { countExpired, expireForChecks, makeDue } from './due-links.store';
import { LinkingStack } from './linking-stack';
import { CheckedLink } from './load';
import { measureBare } from './measure-bare';
import { perLink } from './measure-links';
import { MeasuredCpu } from './measured-cpu';
import { LinkingOptions } from './options';

/** One measurement of refreshes. */
export interface RefreshFigures {
  readonly perS: number;
  /** Of the user's request, which waits for the new tokens and the user info; null in the background. */
  readonly p50Ms: number | null;
  readonly p99Ms: number | null;
  readonly refreshes: number;
  /** Links that were to be refreshed. */
  readonly links: number;
  readonly cpuMsPerRefresh: CpuSeconds;
}

/** All measurements of refreshes. */
export interface Refreshes {
  readonly checks: readonly {
    readonly users: number;
    readonly linkage: RefreshFigures;
    readonly bare: BareFigures & { readonly cpuMsPerLink: CpuSeconds };
  }[];
  readonly background: RefreshFigures;
}

/** Links that one user at once has checked in a second, at most. */
const checksPerUserAndS = 60;
const backgroundWithinMs = 120_000;

/** Measures refreshes that users wait for, beside the bare client's two calls, and then those in the background. */
export async function measureRefreshes(
  bench: LinkingStack,
  options: LinkingOptions,
  links: readonly CheckedLink[],
  progress: Progress,
): Promise<Refreshes> {
  const checks: Refreshes['checks'][number][] = [];
  for (const users of options.users)
    for (let round = 1; round <= options.rounds; round++) {
      const checked = links.slice(0, users * checksPerUserAndS * options.measureS);
      const linkage = await progress.step(
        `Checks with a refresh, ${users} users, round ${round}`,
        () => checksOnce(bench, checked, users),
        ({ perS, p50Ms, p99Ms }) => `${perS.toFixed(1)}/s, p50 ${p50Ms?.toFixed(1)} ms, p99 ${p99Ms?.toFixed(1)} ms`,
      );
      const bare = await measureBare(bench, options, { grant: 'refresh_token', loops: users }, progress);
      checks.push({ users, linkage, bare });
    }
  const background = await progress.step(
    `Refreshes of ${links.length} links in the background`,
    () => inBackground(bench),
    ({ perS, refreshes }) => `${perS.toFixed(1)}/s, ${refreshes} refreshes`,
  );
  return { checks, background };
}

async function checksOnce(bench: LinkingStack, links: readonly CheckedLink[], users: number): Promise<RefreshFigures> {
  const { stack } = bench;
  await withClient(stack.infrastructure.addresses.database_url, expireForChecks);
  const cpu = new MeasuredCpu(bench);
  await bench.partnerFigures();
  bench.users.tell({ kind: 'checks', gatewayUrl: stack.services.publicUrl, users, links });
  await bench.users.report();
  cpu.begin();
  const report = await bench.users.report();
  const cpuS = cpu.end();
  if (report.kind !== 'checked') throw new Error(`the users reported ${report.kind}`);
  const { refreshes } = await bench.partnerFigures();
  if (report.failed > 0 || refreshes !== links.length)
    throw new Error(`of ${links.length} checks ${report.failed} failed, and ${refreshes} refreshed`);
  return {
    ...{ refreshes, links: links.length },
    perS: refreshes / (report.elapsedMs / 1000),
    p50Ms: quantileOf(report.ms, 0.5),
    p99Ms: quantileOf(report.ms, 0.99),
    cpuMsPerRefresh: perLink(cpuS, refreshes),
  };
}

/** Waits until background work has refreshed all links, for a limited time; resolves with how many are left then. */
export async function untilRefreshed(client: Client, withinMs: number): Promise<number> {
  const endMs = Date.now() + withinMs;
  for (;;) {
    const left = await countExpired(client);
    if (left === 0 || Date.now() >= endMs) return left;
    await sleep(250);
  }
}

/** Makes all links due at once, and waits until background work has refreshed them. */
async function inBackground(bench: LinkingStack): Promise<RefreshFigures> {
  const cpu = new MeasuredCpu(bench);
  await bench.partnerFigures();
  const links = await withClient(bench.stack.infrastructure.addresses.database_url, async (client) => {
    const due = await makeDue(client);
    cpu.begin();
    await untilRefreshed(client, backgroundWithinMs);
    return due;
  });
  const cpuS = cpu.end();
  const { refreshes, refreshedFromMs, refreshedUntilMs } = await bench.partnerFigures();
  const seconds = ((refreshedUntilMs ?? NaN) - (refreshedFromMs ?? NaN)) / 1000;
  return {
    ...{ refreshes, links, p50Ms: null, p99Ms: null },
    perS: refreshes / seconds,
    cpuMsPerRefresh: perLink(cpuS, refreshes),
  };
}
