import { SendHistory } from './history';
import { FaultKind } from './kinds/fault-kind';
import { Struck } from './struck';
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
 * What each kind of fault came to. An event that was lost or counted twice stands with the faults that were there when it was
 * first posted, from their begin to the recovery, of a pair with both; that is a time, not a proof of the cause. What names no
 * event, such as an award, and what was posted between faults stands in the last row.
 */
export function faultTable(
  kinds: readonly FaultKind[],
  run: { struck: readonly Struck[]; violations: readonly Violation[]; history: SendHistory },
): string {
  const { placed, rest } = placeViolations(run);
  const rows: FaultRow[] = kinds.map(({ name }) => {
    const own = run.struck.filter((struck) => struck.name === name);
    const alone = own.filter(({ beside }) => beside === undefined);
    const inPair = own.filter(({ beside }) => beside !== undefined);
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
    '| Fault | Alone | In a pair | Lost | Twice | Recovery, median | Longest | Longest in a pair |',
    '| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |',
    ...rows.map(lineOf),
    `| (of no fault) | | | ${rest.lost} | ${rest.twice} | | | |`,
  ].join('\n');
}

function lineOf({ fault, alone, inPair, lost, twice, ...times }: FaultRow): string {
  const cells = [times.median, times.max, times.maxInPair].map((s) => (s === undefined ? '' : `${s.toFixed(1)} s`));
  return `| ${[fault, alone, inPair, lost, twice, ...cells].join(' | ')} |`;
}

function recoveriesS(struck: readonly Struck[]): number[] {
  return struck
    .flatMap(({ recoveryMs }) => (recoveryMs === undefined ? [] : [recoveryMs / 1000]))
    .sort((one, other) => one - other);
}

function placeViolations({
  struck,
  violations,
  history,
}: {
  struck: readonly Struck[];
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
