import { availableParallelism, loadavg } from 'node:os';
import { medianOf, quantileOf } from '../support/latencies';
import { CpuSeconds } from '../support/process-cpu';
import { LinkRound } from './measure-links';
import { IsolationRound, Trouble, descriptions, troubles } from './measure-isolation';
import { Refreshes } from './measure-refreshes';

/** The measurements of a run, without skipped parts. */
export interface LinkingResult {
  readonly links?: readonly LinkRound[];
  readonly refreshes?: Refreshes;
  readonly isolation?: readonly IsolationRound[];
}

/** One side, medians of the rounds. */
interface SideSummary {
  readonly perS: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly cpuMs: CpuSeconds;
}

/** Linkage beside the bare client at one number of users. */
interface Compared {
  readonly users: number;
  readonly linkage: SideSummary;
  readonly bare: SideSummary;
  /** Linkage's rate divided by the bare client's: the median of the rounds' ratios, and each. */
  readonly ratio: number;
  readonly ratios: readonly number[];
}

/** The figures of a run as printed with `--json`. */
export interface LinkingSummary {
  readonly machine: { readonly cores: number; readonly node: string; readonly load1: number };
  readonly links?: readonly (Compared & {
    readonly startP50Ms: number;
    readonly partnerMs: number;
    readonly notReady: number;
  })[];
  readonly checks?: readonly Compared[];
  readonly background?: Refreshes['background'];
  readonly isolation?: readonly IsolationSummary[];
}

/** Links beside neighbours that fail and beside some that respond; quantiles over all rounds together. */
interface IsolationSummary {
  readonly trouble: Trouble;
  readonly neither: Condition;
  readonly both: Condition;
  readonly p50Ratio: number;
  readonly p99Ratio: number;
  /** The p99 ratio of each round. */
  readonly p99Ratios: readonly number[];
}

interface Condition {
  readonly links: number;
  readonly notReady: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly neighbourPages: number;
  readonly neighbourSlowestMs: number;
  readonly unansweredQuestions: number;
}

/** Computes the medians of a run. */
export function summarize({ links, refreshes, isolation }: LinkingResult): LinkingSummary {
  return {
    machine: { cores: availableParallelism(), node: process.version, load1: loadavg()[0] },
    links: links && byUsers(links).map((rounds) => linksOf(rounds)),
    checks:
      refreshes &&
      byUsers(refreshes.checks).map((rounds) =>
        compare(rounds.map(({ users, linkage, bare }) => ({ users, bare, linkage: checkSide(linkage) }))),
      ),
    background: refreshes?.background,
    isolation: isolation && troubles.map((trouble) => isolationOf(trouble, isolation)),
  };
}

type Round = { readonly users: number; readonly linkage: SideSummary; readonly bare: LinkRound['bare'] };

function linksOf(rounds: readonly LinkRound[]): NonNullable<LinkingSummary['links']>[number] {
  const linkage = rounds.map((round) => round.linkage);
  return {
    ...compare(rounds.map((round) => ({ ...round, linkage: { ...round.linkage, cpuMs: round.linkage.cpuMsPerLink } }))),
    startP50Ms: medianOf(linkage.map(({ startP50Ms }) => startP50Ms)),
    partnerMs: medianOf(linkage.map(({ partnerMs }) => partnerMs)),
    notReady: linkage.reduce((sum, { notReady }) => sum + notReady, 0),
  };
}

function checkSide({ perS, p50Ms, p99Ms, cpuMsPerRefresh }: Refreshes['background']): SideSummary {
  return { perS, p50Ms: p50Ms ?? NaN, p99Ms: p99Ms ?? NaN, cpuMs: cpuMsPerRefresh };
}

function compare(rounds: readonly Round[]): Compared {
  const ratios = rounds.map(({ linkage, bare }) => linkage.perS / bare.perS);
  return {
    users: rounds[0].users,
    linkage: medians(rounds.map(({ linkage }) => linkage)),
    bare: medians(rounds.map(({ bare }) => ({ ...bare, cpuMs: bare.cpuMsPerLink }))),
    ratio: medianOf(ratios),
    ratios,
  };
}

function medians(sides: readonly SideSummary[]): SideSummary {
  const median = (pick: (side: SideSummary) => number): number => medianOf(sides.map(pick));
  return {
    perS: median(({ perS }) => perS),
    p50Ms: median(({ p50Ms }) => p50Ms),
    p99Ms: median(({ p99Ms }) => p99Ms),
    cpuMs: Object.fromEntries(
      Object.keys(sides[0].cpuMs).map((name) => [name, median(({ cpuMs }) => cpuMs[name])] as const),
    ),
  };
}

function isolationOf(trouble: Trouble, all: readonly IsolationRound[]): IsolationSummary {
  const rounds = all.filter((round) => round.trouble === trouble);
  const [neither, both] = [rounds.map((round) => round.neither), rounds.map((round) => round.both)].map(conditionOf);
  return {
    ...{ trouble, neither, both, p50Ratio: both.p50Ms / neither.p50Ms, p99Ratio: both.p99Ms / neither.p99Ms },
    p99Ratios: rounds.map((round) => round.both.p99Ms / round.neither.p99Ms),
  };
}

function conditionOf(rounds: readonly IsolationRound['neither'][]): Condition {
  const ms = rounds.flatMap((round) => round.ms);
  const sum = (pick: (round: Condition) => number): number => rounds.reduce((total, round) => total + pick(round), 0);
  return {
    links: ms.length,
    notReady: sum(({ notReady }) => notReady),
    p50Ms: quantileOf(ms, 0.5),
    p99Ms: quantileOf(ms, 0.99),
    neighbourPages: sum(({ neighbourPages }) => neighbourPages),
    neighbourSlowestMs: Math.max(...rounds.map(({ neighbourSlowestMs }) => neighbourSlowestMs)),
    unansweredQuestions: sum(({ unansweredQuestions }) => unansweredQuestions),
  };
}

function byUsers<R extends { readonly users: number }>(rounds: readonly R[]): R[][] {
  return [...new Set(rounds.map(({ users }) => users))].map((users) => rounds.filter((round) => round.users === users));
}

/** The figures of a run as text. */
export function describe({ machine, links, checks, background, isolation }: LinkingSummary): string {
  const lines = [
    `${machine.cores} cores, Node ${machine.node}, load average at the end ${machine.load1.toFixed(1)}; medians of the rounds`,
  ];
  if (links) {
    lines.push('', 'Links, from the start of the flow to the page that says that it is ready', ...compared(links));
    for (const { users, startP50Ms, partnerMs, notReady } of links)
      lines.push(
        `${users} users: start p50 ${startP50Ms.toFixed(1)} ms, the partner's own time ${partnerMs.toFixed(2)} ms, not ready ${notReady}`,
      );
  }
  if (checks) lines.push('', 'Checks by the user, each with a refresh', ...compared(checks));
  if (background)
    lines.push(
      '',
      `Background: ${background.refreshes} refreshes of ${background.links} links, ${background.perS.toFixed(1)}/s; CPU ms each: ${cpu(background.cpuMsPerRefresh)}`,
    );
  if (isolation) {
    lines.push('', 'Links at one partner, beside neighbours that respond and beside some that', isolationHeader);
    for (const { trouble, neither, both, p50Ratio, p99Ratio, p99Ratios } of isolation)
      lines.push(
        conditionRow(
          descriptions[trouble],
          both,
          `${p50Ratio.toFixed(2)} / ${p99Ratio.toFixed(2)} (${rounded(p99Ratios)})`,
        ),
        conditionRow('  respond', neither, ''),
      );
  }
  return lines.join('\n');
}

function compared(all: readonly Compared[]): string[] {
  return [
    row(['', 'users', 'each s', 'p50 ms', 'p99 ms', 'of the bare client']),
    ...all.flatMap(({ users, linkage, bare, ratio, ratios }) => [
      sideRow('linkage', users, linkage, `${ratio.toFixed(3)} (${rounded(ratios, 3)})`),
      sideRow('bare', users, bare, ''),
    ]),
    'CPU ms each',
    ...all.flatMap(({ users, linkage, bare }) => [
      `${users} linkage  ${total(linkage.cpuMs).toFixed(2)}: ${cpu(linkage.cpuMs)}`,
      `${users} bare     ${total(bare.cpuMs).toFixed(2)}: ${cpu(bare.cpuMs)}`,
    ]),
  ];
}

const isolationHeader = [
  '',
  'links',
  'not ready',
  'p50 ms',
  'p99 ms',
  'pages',
  'slowest ms',
  'DNS asked',
  'p50 / p99 ratio',
]
  .map((cell, at) => (at === 0 ? cell.padEnd(44) : cell.padStart(11)))
  .join(' ');

function conditionRow(name: string, condition: Condition, ratio: string): string {
  const { links, notReady, p50Ms, p99Ms, neighbourPages, neighbourSlowestMs, unansweredQuestions } = condition;
  const numbers = [`${links}`, `${notReady}`, p50Ms.toFixed(1), p99Ms.toFixed(1), `${neighbourPages}`];
  const cells = [...numbers, neighbourSlowestMs.toFixed(0), `${unansweredQuestions}`, ratio];
  return [name.padEnd(44), ...cells.map((cell) => cell.padStart(11))].join(' ');
}

function sideRow(name: string, users: number, { perS, p50Ms, p99Ms }: SideSummary, ratio: string): string {
  return row([name, `${users}`, perS.toFixed(1), p50Ms.toFixed(2), p99Ms.toFixed(2), ratio]);
}

function row(cells: readonly string[]): string {
  return cells.map((cell, at) => (at === 0 ? cell.padEnd(10) : cell.padStart(10))).join(' ');
}

function rounded(values: readonly number[], digits = 2): string {
  return values.map((value) => value.toFixed(digits)).join(' ');
}

/** Without the processes that make the load. */
function total(cpuMs: CpuSeconds): number {
  return Object.entries(cpuMs).reduce((sum, [name, ms]) => (name === 'users' ? sum : sum + ms), 0);
}

function cpu(cpuMs: CpuSeconds): string {
  return Object.entries(cpuMs)
    .map(([name, ms]) => `${name} ${ms.toFixed(2)}`)
    .join('  ');
}
