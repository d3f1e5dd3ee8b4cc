import { Client } from 'pg';
import { Progress } from '../../tools/stack/progress';
import { quantileOf } from '../support/latencies';
import { withClient } from '../../tools/stack/with-client';
import { makeDue } from './due-links.store';
import { isolationRound } from './isolation-round';
import { LinkingStack } from './linking-stack';
import { totalMs } from './measure-links';
import { untilRefreshed } from './measure-refreshes';
import { LinkingOptions } from './options';

/** About 8,000 links at a tenth of the usual pace. */
const refreshedWithinMs = 1_200_000;

/** What is wrong beside the measured partner: with its neighbours, or that the tokens of all links have fallen due. */
export const troubles = ['refused', 'black hole', 'hanging', 'due'] as const;

/** One of these. */
export type Trouble = (typeof troubles)[number];

/** Links at the measured partner in one measurement. */
export interface IsolationFigures {
  readonly links: number;
  readonly notReady: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Pages of the neighbours' users: how many, and the slowest, ms. */
  readonly neighbourPages: number;
  readonly neighbourSlowestMs: number;
  /** Questions to the name server that does not answer. */
  readonly unansweredQuestions: number;
}

/** Both conditions in one round, with all times of the measured links for quantiles over all rounds. */
export interface IsolationRound {
  readonly trouble: Trouble;
  readonly neither: IsolationFigures & { readonly ms: readonly number[] };
  readonly both: IsolationFigures & { readonly ms: readonly number[] };
}

/**
 * Measures links at one partner while its neighbours fail, alternately with neighbours that respond. Users of the neighbours
 * come at the same rate in both, so that only what their partners do differs. With the dead neighbour there is always one
 * whose name servers do not answer; those that hang share the host of the measured partner.
 */
export async function measureIsolation(
  bench: LinkingStack,
  options: LinkingOptions,
  progress: Progress,
): Promise<IsolationRound[]> {
  const { refuses, blackHole, hangingDns, hangs } = bench.failing;
  const failing: Record<Trouble, readonly string[]> = {
    refused: [refuses, hangingDns],
    'black hole': [blackHole, hangingDns],
    hanging: hangs,
    due: bench.responding.slice(1, 3),
  };
  const rounds: IsolationRound[] = [];
  for (const trouble of troubles)
    for (let round = 1; round <= options.rounds; round++) {
      const measure = (what: string, neighbours: readonly string[]): Promise<IsolationRound['neither']> =>
        progress.step(
          `Links while neighbours ${what}, round ${round}`,
          () => once(bench, options, neighbours),
          ({ p50Ms, p99Ms }) => `p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`,
        );
      const ids = failing[trouble];
      const inDatabase = <R>(work: (client: Client) => Promise<R>): Promise<R> =>
        withClient(bench.stack.infrastructure.addresses.database_url, work);
      const figures = await isolationRound({
        neither: () => measure('respond', bench.responding.slice(1, 1 + ids.length)),
        both: () => measure(descriptions[trouble], ids),
        ...(trouble === 'due' && {
          begin: () => inDatabase(makeDue),
          untilOver: () =>
            progress.step(
              'Refreshes that are left',
              () => inDatabase((client) => untilRefreshed(client, refreshedWithinMs)),
              (left) => `${left} links have not been refreshed`,
            ),
        }),
      });
      rounds.push({ trouble, ...figures });
    }
  return rounds;
}

/** What the neighbours do, by trouble. */
export const descriptions: Readonly<Record<Trouble, string>> = {
  refused: 'refuse connections and have hanging DNS',
  'black hole': 'swallow connections and have hanging DNS',
  hanging: 'hang, on the same host',
  due: 'respond, and all tokens are refreshed',
};

async function once(
  bench: LinkingStack,
  options: LinkingOptions,
  neighbours: readonly string[],
): Promise<IsolationRound['neither']> {
  const { others: users, arrivalsPerS: perS, warmUpS, measureS } = options;
  const seconds = warmUpS + measureS;
  const identities = await bench.identities.take(users * 40 * seconds);
  const arriving = await bench.identities.take(perS * neighbours.length * seconds);
  const questionsBefore = bench.nameServer.questions;
  bench.users.tell({
    ...{ kind: 'links', gatewayUrl: bench.stack.services.publicUrl, users, identities },
    integrationIds: bench.responding.slice(0, 1),
    arrivals: { integrationIds: neighbours, perS, identities: arriving },
    ...{ warmUpMs: warmUpS * 1000, measureMs: measureS * 1000 },
  });
  await bench.users.report();
  const report = await bench.users.report();
  if (report.kind !== 'linked') throw new Error(`the users reported ${report.kind}`);
  if (report.ranOut) throw new Error('there were more links than identities');
  const { tries, earlier, arrived } = report;
  bench.identities.giveBack(identities.slice(tries.length + earlier.length));
  const ms = tries.filter(({ isReady }) => isReady).map(totalMs);
  return {
    ...{ ms, links: ms.length, notReady: tries.length - ms.length },
    p50Ms: quantileOf(ms, 0.5),
    p99Ms: quantileOf(ms, 0.99),
    neighbourPages: arrived.length,
    neighbourSlowestMs: Math.max(0, ...arrived.map(totalMs)),
    unansweredQuestions: bench.nameServer.questions - questionsBefore,
  };
}
