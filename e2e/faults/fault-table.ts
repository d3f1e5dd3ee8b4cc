import { SendHistory } from './send-history';
import { FaultKind } from './kinds/fault-kind';
import { FaultRecord } from './fault-record';
import { Violation } from './violation';

/** A row of the table at the end of a run; times are seconds. */
interface FaultRow {
  readonly fault: string;
  readonly alone: number;
  readonly inPair: number;
  readonly lost: number;
  readonly twice: number;
  readonly median?: number;
  readonly max?: number;
  readonly maxInPair?: number;
}

/**
 * Renders the results by kind of fault. A lost or double-counted event is assigned to the faults in effect (begin to recovery)
 * when it was first posted, for a pair to both: a coincidence in time, not a proven cause. The last row counts events posted
 * between faults, and violations without an event, such as awards.
 */
export function faultTable(
  kinds: readonly FaultKind[],
  run: { struck: readonly FaultRecord[]; violations: readonly Violation[]; history: SendHistory },
): string {
  const { placed, rest } = placeViolations(run);
  const rows: FaultRow[] = kinds.map(({ name }) => {
    const own = run.struck.filter((struck) => struck.name === name && !struck.isMissed);
    const alone = own.filter(({ otherOfPair }) => otherOfPair === undefined);
    const inPair = own.filter(({ otherOfPair }) => otherOfPair !== undefined);
    const count = (loss: 'lost' | 'twice'): number =>
      placed.filter((each) => each.name === name && each.loss === loss).length;
    const times = recoveriesS(alone);
    return {
      fault: name,
      alone: alone.length,
      inPair: inPair.length,
      lost: count('lost'),
      twice: count('twice'),
      median: times[Math.floor((times.length - 1) / 2)],
      max: times.at(-1),
      maxInPair: recoveriesS(inPair).at(-1),
    };
  });
  return [
    '| Fault | Alone | In a pair | Lost | Twice | Recovery, median | Maximum | Maximum in a pair |',
    '| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |',
    ...rows.map(lineOf),
    `| (no fault) | | | ${rest.lost} | ${rest.twice} | | | |`,
  ].join('\n');
}

function lineOf({ fault, alone, inPair, lost, twice, ...times }: FaultRow): string {
  const cells = [times.median, times.max, times.maxInPair].map((s) => (s === undefined ? '' : `${s.toFixed(1)} s`));
  return `| ${[fault, alone, inPair, lost, twice, ...cells].join(' | ')} |`;
}

function recoveriesS(struck: readonly FaultRecord[]): number[] {
  return struck
    .flatMap(({ recoveryMs }) => (recoveryMs === undefined ? [] : [recoveryMs / 1000]))
    .sort((one, other) => one - other);
}

function placeViolations({
  struck,
  violations,
  history,
}: {
  struck: readonly FaultRecord[];
  violations: readonly Violation[];
  history: SendHistory;
}): { placed: { name: string; loss: 'lost' | 'twice' }[]; rest: { lost: number; twice: number } } {
  const placed: { name: string; loss: 'lost' | 'twice' }[] = [];
  const rest = { lost: 0, twice: 0 };
  for (const { loss, ids } of violations) {
    if (!loss) continue;
    for (const id of ids) {
      const postedAtMs = history.events.get(id)?.addedAtMs;
      const names = struck
        .filter(({ fromMs, untilMs }) => postedAtMs !== undefined && postedAtMs >= fromMs && postedAtMs <= untilMs)
        .map(({ name }) => name);
      if (names.length === 0) rest[loss]++;
      for (const name of new Set(names)) placed.push({ name, loss });
    }
  }
  return { placed, rest };
}
