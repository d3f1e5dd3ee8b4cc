import { availableParallelism, loadavg } from 'node:os';
import { medianOf, quantileOf } from '../support/latencies';
import { EventsPerBatch } from './batch-sizes';
import { AwardLatency } from './measure-award-latency';
import { Drain } from './measure-drain';
import { OpenLoopResult } from './measure-open-loop';
import { Side, Throughput } from './measure-throughput';

/** The measurements of a run, without skipped parts. */
export interface BenchResult {
  readonly throughput: readonly Throughput[];
  readonly openLoop: readonly OpenLoopResult[];
  readonly latency?: AwardLatency;
  readonly drain?: Drain;
}

/** Medians of one side at one number of connections. */
export interface SideSummary {
  readonly eventsPerS: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly refused: number;
  readonly cpuSPer1000: Readonly<Record<string, number>>;
  readonly eventsPerBatch?: EventsPerBatch;
}

/** The figures of a run as printed with `--json`. */
export interface Summary {
  readonly machine: { readonly cores: number; readonly node: string; readonly load1: number };
  readonly underLoad: readonly {
    readonly connections: number;
    readonly rounds: number;
    readonly full: SideSummary;
    /** Batches of what a platform may send at once; times and refusals are those of requests. */
    readonly batch: SideSummary;
    readonly floor: SideSummary;
    /** Events/s in batches divided by those of single events: the median of the rounds' ratios, and each ratio. */
    readonly batchRatio: number;
    readonly batchRatios: readonly number[];
    /** Events/s of the full path divided by those of the floor: the median of the rounds' ratios, and each ratio. */
    readonly ratio: number;
    readonly ratios: readonly number[];
    /** CPU seconds per event of all servers, floor divided by full path: `ratio` approaches it when all cores are busy. */
    readonly cpuRatio: number;
  }[];
  readonly openLoop: readonly OpenLoopResult[];
  readonly idle?: Readonly<Record<keyof AwardLatency, { readonly p50Ms: number; readonly p99Ms: number }>>;
  readonly drain?: Drain;
}

/** Computes the medians of a run. */
export function summarize({ throughput, openLoop, latency, drain }: BenchResult): Summary {
  const connectionCounts = [...new Set(throughput.map(({ connections }) => connections))];
  return {
    machine: { cores: availableParallelism(), node: process.version, load1: loadavg()[0] },
    underLoad: connectionCounts.map((connections) => {
      const of = (side: Side) => throughput.filter((one) => one.connections === connections && one.side === side);
      const [full, batch, floor] = [of('full'), of('batch'), of('floor')];
      const ratios = full.map((one, at) => one.perS / floor[at].perS);
      const batchRatios = full.map((one, at) => batch[at].perS / one.perS);
      const sides = { full: summarizeSide(full), batch: summarizeSide(batch), floor: summarizeSide(floor) };
      const cpuRatio = serversCpu(sides.floor) / serversCpu(sides.full);
      const ofSingles = { batchRatio: medianOf(batchRatios), batchRatios };
      return { connections, rounds: full.length, ...sides, ...ofSingles, ratio: medianOf(ratios), ratios, cpuRatio };
    }),
    openLoop,
    idle: latency && {
      acceptToAward: quantiles(latency.acceptToAward),
      requestToAccept: quantiles(latency.requestToAccept),
      roundTrip: quantiles(latency.roundTrip),
    },
    drain,
  };
}

function summarizeSide(rounds: readonly Throughput[]): SideSummary {
  const median = (pick: (round: Throughput) => number): number => medianOf(rounds.map(pick));
  const processes = Object.keys(rounds[0].cpuSPer1000);
  return {
    eventsPerS: median(({ perS }) => perS),
    p50Ms: median(({ p50Ms }) => p50Ms),
    p99Ms: median(({ p99Ms }) => p99Ms),
    refused: rounds.reduce((sum, { refused }) => sum + countOf(refused), 0),
    cpuSPer1000: Object.fromEntries(processes.map((name) => [name, median((round) => round.cpuSPer1000[name])])),
    eventsPerBatch: rounds[0].eventsPerBatch && {
      toIngestion: median(({ eventsPerBatch }) => eventsPerBatch?.toIngestion ?? 0),
      toKafka: median(({ eventsPerBatch }) => eventsPerBatch?.toKafka ?? 0),
    },
  };
}

function countOf(refused: Readonly<Record<string, number>>): number {
  return Object.values(refused).reduce((a, b) => a + b, 0);
}

function serversCpu({ cpuSPer1000 }: SideSummary): number {
  return Object.entries(cpuSPer1000).reduce((sum, [name, cpuS]) => (name === 'generator' ? sum : sum + cpuS), 0);
}

function quantiles(values: readonly number[]): { p50Ms: number; p99Ms: number } {
  return { p50Ms: quantileOf(values, 0.5), p99Ms: quantileOf(values, 0.99) };
}

/** The figures of a run as text. */
export function describe(summary: Summary): string {
  const { machine, underLoad, openLoop, idle, drain } = summary;
  const lines = [
    `${machine.cores} cores, Node ${machine.node}, load average at the end ${machine.load1.toFixed(1)}; medians of the rounds`,
    '',
    row(['', 'connections', 'events/s', 'p50 ms', 'p99 ms', 'not accepted', 'of the floor']),
  ];
  for (const { connections, full, batch, floor, ratio, ratios, batchRatio, batchRatios } of underLoad)
    lines.push(
      sideRow('full path', connections, full, ratioText(ratio, ratios)),
      sideRow('batches', connections, batch, `${ratioText(batchRatio, batchRatios)} of single events`),
      sideRow('floor', connections, floor, ''),
    );
  lines.push('', 'CPU seconds per 1,000 events');
  for (const { connections, full, batch, floor, cpuRatio } of underLoad)
    lines.push(
      `${connections} full path  servers ${serversCpu(full).toFixed(3)}: ${cpu(full)}`,
      `${connections} batches    servers ${serversCpu(batch).toFixed(3)}: ${cpu(batch)}`,
      `${connections} floor      servers ${serversCpu(floor).toFixed(3)}: ${cpu(floor)}; floor by full path ${cpuRatio.toFixed(3)}`,
    );
  lines.push('', 'Events in a batch from gateway to ingestion, and in a batch from ingestion to Kafka');
  for (const { connections, full, batch } of underLoad)
    lines.push(`${connections} full path  ${sizes(full)}`, `${connections} batches    ${sizes(batch)}`);
  if (openLoop.length > 0)
    lines.push('', row(['offered', 'events/s', 'p50 ms', 'p99 ms', 'not accepted', 'unanswered']));
  for (const { side, offeredPerS, perS, p50Ms, p99Ms, refused, unanswered } of openLoop)
    lines.push(
      row([
        `${offeredPerS} ${side}`,
        ...[perS.toFixed(0), p50Ms.toFixed(1), p99Ms.toFixed(1), String(countOf(refused)), String(unanswered)],
      ]),
    );
  if (idle)
    lines.push(
      '',
      `accept → award, idle    p50 ${ms(idle.acceptToAward.p50Ms)}, p99 ${ms(idle.acceptToAward.p99Ms)}`,
      `request → accept, idle  p50 ${ms(idle.requestToAccept.p50Ms)}, p99 ${ms(idle.requestToAccept.p99Ms)}`,
      `bare Kafka round trip   p50 ${ms(idle.roundTrip.p50Ms)}, p99 ${ms(idle.roundTrip.p99Ms)}`,
    );
  if (drain)
    lines.push(
      '',
      `engagement drains       ${drain.recordsPerS.toFixed(0)} records/s (${drain.drained} of ${drain.gathered} watched)`,
    );
  return lines.join('\n');
}

function ratioText(median: number, each: readonly number[]): string {
  return `${median.toFixed(3)} (${each.map((one) => one.toFixed(2)).join(' ')})`;
}

function sideRow(name: string, connections: number, side: SideSummary, ofFloor: string): string {
  return row([
    name,
    String(connections),
    side.eventsPerS.toFixed(0),
    side.p50Ms.toFixed(1),
    side.p99Ms.toFixed(1),
    String(side.refused),
    ofFloor,
  ]);
}

function row(cells: readonly string[]): string {
  return cells.map((cell, at) => (at === 0 ? cell.padEnd(10) : cell.padStart(13))).join(' ');
}

function cpu({ cpuSPer1000 }: SideSummary): string {
  return Object.entries(cpuSPer1000)
    .map(([name, cpuS]) => `${name} ${cpuS.toFixed(3)}`)
    .join('  ');
}

function sizes({ eventsPerBatch: { toIngestion, toKafka } = { toIngestion: 0, toKafka: 0 } }: SideSummary): string {
  return `${toIngestion.toFixed(1)}, ${toKafka.toFixed(1)}`;
}

function ms(value: number): string {
  return `${value.toFixed(1)} ms`;
}
