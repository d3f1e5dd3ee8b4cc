import { availableParallelism, loadavg } from 'node:os';
import { LoadFigures } from '../support/closed-loop';
import { medianOf } from '../support/latencies';
import { ImportFigures } from './measure-import';
import { OperationFigures } from './measure-reads';
import { TargetName } from './reads-stack';

/** What a run has measured; parts that were left out are missing. */
export interface ReadsResult {
  readonly big: readonly OperationFigures[];
  readonly small: readonly OperationFigures[];
  /** Null where the worlds were there already. */
  readonly bigLoadS: number | null;
  readonly smallLoadS: number | null;
  readonly importing?: ImportFigures;
}

/** One operation's figures for machines (`--json`). */
export interface OperationSummary {
  readonly name: string;
  readonly kind: OperationFigures['kind'];
  readonly perS: Readonly<Record<TargetName, number>>;
  /** Requests/s by those of the floor: the median of the rounds' ratios. */
  readonly ofFloor: number;
  /** The same of questions that were never asked before. */
  readonly ofFloorAnew: number;
  readonly ofFloorThroughGateway: number;
  readonly underLoadMs: Readonly<Record<TargetName, { readonly p50: number; readonly p99: number }>>;
  readonly aloneMs: {
    readonly p50: number;
    /** The next three of questions that were never asked before. */
    readonly anewP50: number;
    readonly anewP99: number;
    readonly smallAnewP50: number;
    readonly floorP50: number;
  };
  /** Latency of one request that was never asked before, in the big world by that in the small one. */
  readonly bigBySmall: number;
  readonly refused: number;
}

/** A run's figures for machines (`--json`). */
export interface ReadsSummary {
  readonly machine: { readonly cores: number; readonly node: string; readonly load1: number };
  readonly operations: readonly OperationSummary[];
  readonly loadS: { readonly big: number | null; readonly small: number | null };
  readonly importing?: ImportFigures;
}

/** Brings a run to its medians. */
export function summarize({ big, small, bigLoadS, smallLoadS, importing }: ReadsResult): ReadsSummary {
  return {
    machine: { cores: availableParallelism(), node: process.version, load1: loadavg()[0] },
    operations: big.map((figures, at) => summarizeOperation(figures, small[at])),
    loadS: { big: bigLoadS, small: smallLoadS },
    importing,
  };
}

function summarizeOperation(big: OperationFigures, small: OperationFigures): OperationSummary {
  const { service, anew, gateway, floor } = big.underLoad;
  const median = (rounds: readonly LoadFigures[], pick: (round: LoadFigures) => number): number =>
    medianOf(rounds.map(pick));
  const ratio = (side: readonly LoadFigures[]): number => medianOf(side.map(({ perS }, at) => perS / floor[at].perS));
  const latency = (rounds: readonly LoadFigures[]) => ({
    p50: median(rounds, ({ p50Ms }) => p50Ms),
    p99: median(rounds, ({ p99Ms }) => p99Ms),
  });
  const aloneAnew = latency(big.alone.anew);
  const smallAnewP50 = latency(small.alone.anew).p50;
  const all = [big.underLoad, big.alone, small.underLoad, small.alone].flatMap((each) =>
    Object.values<readonly LoadFigures[]>(each).flat(),
  );
  return {
    name: big.name,
    kind: big.kind,
    perS: {
      service: median(service, ({ perS }) => perS),
      anew: median(anew, ({ perS }) => perS),
      gateway: median(gateway, ({ perS }) => perS),
      floor: median(floor, ({ perS }) => perS),
    },
    ofFloor: ratio(service),
    ofFloorAnew: ratio(anew),
    ofFloorThroughGateway: ratio(gateway),
    underLoadMs: { service: latency(service), anew: latency(anew), gateway: latency(gateway), floor: latency(floor) },
    aloneMs: {
      p50: latency(big.alone.service).p50,
      anewP50: aloneAnew.p50,
      anewP99: aloneAnew.p99,
      smallAnewP50,
      floorP50: latency(big.alone.floor).p50,
    },
    bigBySmall: aloneAnew.p50 / smallAnewP50,
    refused: all.reduce((sum, { refused }) => sum + Object.values(refused).reduce((a, b) => a + b, 0), 0),
  };
}

/** A run's figures for people. */
export function describe({ machine, operations, loadS, importing }: ReadsSummary): string {
  const lines = [
    `${machine.cores} cores, Node ${machine.node}, load average at the end ${machine.load1.toFixed(1)}; medians of the rounds`,
    ...(loadS.small === null || loadS.big === null
      ? []
      : [`Worlds generated and loaded in ${loadS.small.toFixed(0)} s (small) and ${loadS.big.toFixed(0)} s (big)`]),
    '',
    row([
      '',
      'requests/s',
      'floor',
      'of floor',
      'anew',
      'by gateway',
      'p50 ms',
      'p99 ms',
      'floor p50',
      'floor p99',
      'not 200',
    ]),
    ...operations.map(({ name, perS, ofFloor, ofFloorAnew, ofFloorThroughGateway, underLoadMs, refused }) =>
      row([
        name,
        perS.service.toFixed(0),
        perS.floor.toFixed(0),
        ofFloor.toFixed(2),
        ofFloorAnew.toFixed(2),
        ofFloorThroughGateway.toFixed(2),
        underLoadMs.service.p50.toFixed(1),
        underLoadMs.service.p99.toFixed(1),
        underLoadMs.floor.p50.toFixed(1),
        underLoadMs.floor.p99.toFixed(1),
        String(refused),
      ]),
    ),
    '',
    row(['One request at a time', 'p50 ms', 'anew p50', 'anew p99', 'floor p50', 'small anew', 'big/small']),
    ...operations.map(({ name, aloneMs, bigBySmall }) =>
      row([
        name,
        aloneMs.p50.toFixed(2),
        aloneMs.anewP50.toFixed(2),
        aloneMs.anewP99.toFixed(2),
        aloneMs.floorP50.toFixed(2),
        aloneMs.smallAnewP50.toFixed(2),
        bigBySmall.toFixed(2),
      ]),
    ),
  ];
  if (importing) {
    const { quiet, importing: busy, serviceMiB, changesPerS } = importing;
    lines.push(
      '',
      `While ${changesPerS.toFixed(0)} changes/s are imported: p50 ${busy.p50Ms.toFixed(2)} ms, p99 ${busy.p99Ms.toFixed(2)} ms; ` +
        `before: p50 ${quiet.p50Ms.toFixed(2)} ms, p99 ${quiet.p99Ms.toFixed(2)} ms; not 200: ${JSON.stringify(busy.refused)}`,
      `competition-read while importing: ${Math.min(...serviceMiB)} to ${Math.max(...serviceMiB)} MiB resident`,
    );
  }
  return lines.join('\n');
}

function row(cells: readonly string[]): string {
  return cells.map((cell, at) => (at === 0 ? cell.padEnd(30) : cell.padStart(11))).join(' ');
}
