import type { RowsOfStep } from './combined-issues';
import { keyOf, rowsByKey } from './combined-ledger';
import type { CombinedRun } from './combined-run';

/** What random worlds have to bring about; each in an eighth of them or more, so that fifty worlds have all. */
export const happenings = [
  'held_by_pause',
  'held_by_limit',
  'withheld',
  'unlinked',
  'blocked',
  'block ended',
  'reversed',
  'reversal rejected',
  'issued again, after a block or after the close',
  'waiting at the close',
  'ended by hand',
  'erased',
] as const;

export type Happening = (typeof happenings)[number];

/** What happened to a task in a step; the step before it was read at `beforeS`. */
export function happenedTo(run: CombinedRun, beforeS: number, { before, after }: RowsOfStep): Set<Happening> {
  const { published, publishedInStep, closesAt, nowS, definition } = run;
  const statuses = new Set(after.map(({ status }) => status));
  const noted = rowsByKey(after);
  const wereBlocked = [...rowsByKey(before)].flatMap(([key, { status }]) => (status === 'blocked' ? [key] : []));
  const isClosed = closesAt <= nowS;
  const isLate = publishedInStep.some(
    ({ kind, seq, userId, occurrence }) =>
      kind === 'issued' && (seq > 1 || isClosed || wereBlocked.includes(keyOf(userId, occurrence))),
  );
  const isWaiting = before.some(({ status }) => status !== 'refused');
  const found: Record<Happening, boolean> = {
    held_by_pause: statuses.has('held_by_pause'),
    held_by_limit: statuses.has('held_by_limit'),
    withheld: statuses.has('withheld'),
    unlinked: statuses.has('unlinked'),
    blocked: statuses.has('blocked'),
    'block ended': wereBlocked.some((key) => noted.get(key)?.status !== 'blocked'),
    reversed: publishedInStep.some(({ kind }) => kind === 'reversed'),
    'reversal rejected': published.some(({ kind, answer }) => kind === 'reversed' && answer === 'rejected'),
    'issued again, after a block or after the close': isLate,
    'waiting at the close': isClosed && beforeS < closesAt && isWaiting,
    'ended by hand': definition.endedAt !== null && definition.endedAt <= nowS,
    erased: published.some(({ isErased }) => isErased),
  };
  return new Set(happenings.filter((each) => found[each]));
}
