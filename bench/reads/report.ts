import { availableParallelism, loadavg } from 'node:os';
import { LoadFigures } from '../support/closed-loop';
import { medianOf } from '../support/latencies';
import { SizeComparison } from './compare-sizes';
import { DiskUse, describeDisk } from './disk-use';
import { ImportFigures } from './measure-import';
import { OperationFigures } from './measure-reads';
import { TargetName } from './reads-stack';
import { SizeSummary, describeSizes, summarizeSizes } from './report-sizes';
import { row } from './row';
import { TypoSearches, describeTypoSearches } from './typo-searches';

/** The measurements of a run, without skipped parts. */
export interface ReadsResult {
  /** Of the big world. */
  readonly figures: readonly OperationFigures[];
  readonly sizes: readonly SizeComparison[];
  /** Null where the worlds existed before the run. */
  readonly bigLoadS: number | null;
  readonly smallLoadS: number | null;
  /** Of the big world; absent where it existed before the run. */
  readonly disk?: DiskUse;
  /** In the big world. */
  readonly typoSearches: readonly TypoSearches[];
  readonly importing?: ImportFigures;
}

/** The figures of one operation as printed with `--json`. */
export interface OperationSummary {
  readonly name: string;
  readonly kind: OperationFigures['kind'];
  /** Mean size of a response's body. */
  readonly pageBytes: number;
  readonly perS: Readonly<Record<TargetName, number>>;
  /** Requests/s divided by those of the floor with one document: the median of the rounds' ratios. */
  readonly ofFloor: number;
  /** The next three are divided by the floor with one stored page of the same size. */
  readonly ofPageFloor: number;
  readonly uncachedOfPageFloor: number;
  readonly uncachedGatewayOfPageFloor: number;
  /** The next two are divided by the floor with one document. */
  readonly uncachedOfFloor: number;
  readonly gatewayOfFloor: number;
  readonly underLoadMs: Readonly<Record<TargetName, { readonly p50: number; readonly p99: number }>>;
  readonly aloneMs: {
    readonly p50: number;
    /** The next two are for uncached requests. */
    readonly uncachedP50: number;
    readonly uncachedP99: number;
    readonly floorP50: number;
    readonly pageFloorP50: number;
  };
  readonly refused: number;
}

/** The figures of a run as printed with `--json`. */
export interface ReadsSummary {
  readonly machine: { readonly cores: number; readonly node: string; readonly load1: number };
  readonly operations: readonly OperationSummary[];
  readonly sizes: readonly SizeSummary[];
  readonly loadS: { readonly big: number | null; readonly small: number | null };
  readonly disk?: DiskUse;
  readonly typoSearches: readonly TypoSearches[];
  readonly importing?: ImportFigures;
}

/** Computes the medians of a run. */
export function summarize(result: ReadsResult): ReadsSummary {
  const { figures, sizes, bigLoadS, smallLoadS, disk, typoSearches, importing } = result;
  return {
    machine: { cores: availableParallelism(), node: process.version, load1: loadavg()[0] },
    operations: figures.map(summarizeOperation),
    sizes: sizes.map(summarizeSizes),
    loadS: { big: bigLoadS, small: smallLoadS },
    disk,
    typoSearches,
    importing,
  };
}

function summarizeOperation({ name, kind, pageBytes, underLoad, alone }: OperationFigures): OperationSummary {
  const { service, uncached, gateway, uncachedGateway, floor, pageFloor } = underLoad;
  const median = (rounds: readonly LoadFigures[], pick: (round: LoadFigures) => number): number =>
    medianOf(rounds.map(pick));
  const ratio = (side: readonly LoadFigures[], floorSide: readonly LoadFigures[]): number =>
    medianOf(side.map(({ perS }, at) => perS / floorSide[at].perS));
  const each = <T>(pick: (rounds: readonly LoadFigures[]) => T): Record<TargetName, T> => ({
    service: pick(service),
    uncached: pick(uncached),
    gateway: pick(gateway),
    uncachedGateway: pick(uncachedGateway),
    floor: pick(floor),
    pageFloor: pick(pageFloor),
  });
  const latency = (rounds: readonly LoadFigures[]) => ({
    p50: median(rounds, ({ p50Ms }) => p50Ms),
    p99: median(rounds, ({ p99Ms }) => p99Ms),
  });
  const aloneUncached = latency(alone.uncached);
  const all = [underLoad, alone].flatMap((each) => Object.values<readonly LoadFigures[]>(each).flat());
  return {
    name,
    kind,
    pageBytes,
    perS: each((rounds) => median(rounds, ({ perS }) => perS)),
    ofFloor: ratio(service, floor),
    ofPageFloor: ratio(service, pageFloor),
    uncachedOfPageFloor: ratio(uncached, pageFloor),
    uncachedGatewayOfPageFloor: ratio(uncachedGateway, pageFloor),
    uncachedOfFloor: ratio(uncached, floor),
    gatewayOfFloor: ratio(gateway, floor),
    underLoadMs: each(latency),
    aloneMs: {
      p50: latency(alone.service).p50,
      uncachedP50: aloneUncached.p50,
      uncachedP99: aloneUncached.p99,
      floorP50: latency(alone.floor).p50,
      pageFloorP50: latency(alone.pageFloor).p50,
    },
    refused: all.reduce((sum, { refused }) => sum + Object.values(refused).reduce((a, b) => a + b, 0), 0),
  };
}

/** The figures of a run as text. */
export function describe({ machine, operations, sizes, loadS, disk, typoSearches, importing }: ReadsSummary): string {
  const lines = [
    `${machine.cores} cores, Node ${machine.node}, load average at the end ${machine.load1.toFixed(1)}; medians of the rounds`,
    ...(loadS.small === null || loadS.big === null
      ? []
      : [`Worlds generated and loaded in ${loadS.small.toFixed(0)} s (small) and ${loadS.big.toFixed(0)} s (big)`]),
    ...(disk ? [describeDisk(disk)] : []),
    ...(operations.length > 0 ? tablesOf(operations) : []),
    ...(sizes.length > 0 ? describeSizes(sizes) : []),
    ...(typoSearches.length > 0 ? describeTypoSearches(typoSearches) : []),
    ...(importing ? importLines(importing) : []),
  ];
  return lines.join('\n');
}

function tablesOf(operations: readonly OperationSummary[]): string[] {
  return [
    '',
    row([
      '',
      'requests/s',
      'floor',
      'of floor',
      'uncached',
      'by gateway',
      'p50 ms',
      'p99 ms',
      'floor p50',
      'floor p99',
      'not 200',
    ]),
    ...operations.map(({ name, perS, ofFloor, uncachedOfFloor, gatewayOfFloor, underLoadMs, refused }) =>
      row([
        name,
        perS.service.toFixed(0),
        perS.floor.toFixed(0),
        ofFloor.toFixed(2),
        uncachedOfFloor.toFixed(2),
        gatewayOfFloor.toFixed(2),
        underLoadMs.service.p50.toFixed(1),
        underLoadMs.service.p99.toFixed(1),
        underLoadMs.floor.p50.toFixed(1),
        underLoadMs.floor.p99.toFixed(1),
        String(refused),
      ]),
    ),
    '',
    row([
      'Beside one stored page',
      'page kB',
      'page floor',
      'of it',
      'uncached',
      'uncached/s',
      'by gateway',
      'floor p99',
      'p99 ms',
    ]),
    ...operations.map((each) =>
      row([
        each.name,
        (each.pageBytes / 1000).toFixed(1),
        each.perS.pageFloor.toFixed(0),
        each.ofPageFloor.toFixed(2),
        each.uncachedOfPageFloor.toFixed(2),
        each.perS.uncached.toFixed(0),
        each.uncachedGatewayOfPageFloor.toFixed(2),
        each.underLoadMs.pageFloor.p99.toFixed(1),
        each.underLoadMs.uncached.p99.toFixed(1),
      ]),
    ),
    '',
    row(['One request at a time', 'p50 ms', 'uncached p50', 'uncached p99', 'floor p50', 'page floor']),
    ...operations.map(({ name, aloneMs }) =>
      row([
        name,
        aloneMs.p50.toFixed(2),
        aloneMs.uncachedP50.toFixed(2),
        aloneMs.uncachedP99.toFixed(2),
        aloneMs.floorP50.toFixed(2),
        aloneMs.pageFloorP50.toFixed(2),
      ]),
    ),
  ];
}

function importLines(figures: ImportFigures): string[] {
  const { quiet, importing: busy, afterwards, projectorMiB, pace, offeredPerS, changesPerS, lagToZeroS } = figures;
  const latency = ({ p50Ms, p99Ms, perS, refused }: LoadFigures): string =>
    `p50 ${p50Ms.toFixed(2)} ms, p99 ${p99Ms.toFixed(2)} ms, ${perS.toFixed(0)} reads/s, not 200: ${JSON.stringify(refused)}`;
  return [
    '',
    `Before the import:     ${latency(quiet)}`,
    `During the import:     ${latency(busy)}`,
    `After its last change: ${latency(afterwards)}`,
    `p99 during / before ${(busy.p99Ms / quiet.p99Ms).toFixed(2)}; ${offeredPerS} changes/s offered, ` +
      `${changesPerS.toFixed(0)} applied; no lag ${lagToZeroS.toFixed(1)} s after the last change`,
    `Projector while importing: pace ${Math.min(...pace).toFixed(2)} to ${Math.max(...pace).toFixed(2)}, ` +
      `${Math.min(...projectorMiB)} to ${Math.max(...projectorMiB)} MiB resident`,
  ];
}
