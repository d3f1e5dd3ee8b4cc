import type { CombinedRun } from './combined-run';
import { isWithheldByBudget, keyOf, keysOf, paidAwards, reversedIssue, rowsByKey } from './combined-ledger';
import type { CombinedStep, PublishedEntry, UnissuedRow } from './combined-steps';
import { OwedByUser, amountOf } from './combined-owed';

/** What is not issued, before and after a step. */
export interface RowsOfStep {
  readonly before: readonly UnissuedRow[];
  readonly after: readonly UnissuedRow[];
  /** Whether it began on another UTC day than it ended. */
  readonly isOverMidnight: boolean;
}

/** What is wrong with the issues and reversals of a step, as sentences. */
export function wrongEntries(run: CombinedRun, step: CombinedStep, rows: RowsOfStep, owed: OwedByUser): string[] {
  const issued = run.publishedInStep.filter(({ kind }) => kind === 'issued');
  const reversed = run.publishedInStep.filter(({ kind }) => kind === 'reversed');
  const before = rowsByKey(rows.before);
  return [
    ...issued.flatMap((entry) => [
      ...(step.does === 'pay' ? wrongPayment(run, entry, before) : wrongIssue(run, entry, before, owed)),
      ...wrongKeys(run, entry),
    ]),
    ...(step.does === 'pay' ? wrongLeft(run, step.share, rows) : wrongLimits(run, issued, rows, owed)),
    ...reversed.flatMap((entry) => wrongReversal(run, entry, owed)),
  ];
}

/** What the engine issues by itself: as it is owed, and nothing that waits for an approver or was refused. */
function wrongIssue(
  run: CombinedRun,
  entry: PublishedEntry,
  before: ReadonlyMap<string, UnissuedRow>,
  owed: OwedByUser,
): string[] {
  const { userId, occurrence, account, amount, reachedAt, version, isErased } = entry;
  const key = keyOf(userId, occurrence);
  const row = before.get(key);
  const wrong: string[] = [];
  if (isErased) return wrong;
  if (row && (row.status === 'held_by_limit' || row.status === 'refused' || isWithheldByBudget(row)))
    wrong.push(`${key} was ${row.status}, and no approver has paid it`);
  const found = owed.of(userId);
  if (found === null) return wrong;
  const owing = found.get(occurrence);
  if (owing === undefined) return [...wrong, `${key} is issued, and not owed`];
  const next = run.worldOf(userId).links.find(({ linkedAt }) => linkedAt > owing.reachedAt && linkedAt < run.closesAt);
  const expected = [owing.account ?? next?.account, Number(amountOf(owing.reward)), owing.reachedAt, owing.version];
  const is = [account, amount, reachedAt, version];
  if (is.join() !== expected.join()) wrong.push(`${key} is issued as ${is.join()}, and owed as ${expected.join()}`);
  return wrong;
}

/** What an approver pays: what waited, as it was listed. */
function wrongPayment(run: CombinedRun, entry: PublishedEntry, before: ReadonlyMap<string, UnissuedRow>): string[] {
  const { userId, occurrence, account, amount, reachedAt } = entry;
  const key = keyOf(userId, occurrence);
  const row = before.get(key);
  if (!row || !isDecidable(row)) return [`${key} is paid, and was ${row?.status ?? 'not listed'}`];
  if (run.definition.paused && row.status === 'held_by_pause') return [`${key} is paid, and a pause holds it for good`];
  const listed = [row.account, Number(row.amount), row.reachedAt].join();
  const is = [account, amount, reachedAt].join();
  return is === listed ? [] : [`${key} is paid as ${is}, and was listed as ${listed}`];
}

/** Keys: an occurrence is paid once to a user, and once to an account. */
function wrongKeys({ published }: CombinedRun, entry: PublishedEntry): string[] {
  const { awardId, userId, account, occurrence } = entry;
  const paid = paidAwards(published.slice(0, published.indexOf(entry)));
  return paid
    .filter((each) => each.occurrence === occurrence && (each.userId === userId || each.account === account))
    .map(
      (each) => `${userId} is paid ${occurrence} of ${account} (${awardId}), after ${each.userId} of ${each.account}`,
    );
}

/** What is left of what an approver has paid: only what the budget, the account or the formula stops. */
function wrongLeft(run: CombinedRun, share: number, { before, after }: RowsOfStep): string[] {
  if (share < 1 || run.definition.paused) return [];
  const named = new Set(
    before.filter((row) => isDecidable(row) && row.account !== null && row.amount !== null).flatMap(keysOf),
  );
  const { inTotal, ofDay } = run.leftUnits;
  return after
    .filter((row) => isDecidable(row) && keysOf(row).some((key) => named.has(key)))
    .filter((row) => !isWithheldByBudget(row) || Number(row.amount) <= (row.reason === 'budget_day' ? ofDay : inTotal))
    .map((row) => `${keysOf(row).join()} was named for payment, and is ${row.status}`);
}

/** `max_per_event`: at an instant of what the engine issues it is kept to, and it is used up where something is held. */
function wrongLimits(
  run: CombinedRun,
  issued: readonly PublishedEntry[],
  { before, after }: RowsOfStep,
  owed: OwedByUser,
): string[] {
  const known = rowsByKey(before.filter(({ status }) => status === 'held_by_limit'));
  const held = after.filter((row) => row.status === 'held_by_limit' && !keysOf(row).some((key) => known.has(key)));
  const takenAt = (instant: UserInstant): { taken: number; limit: number } => takenOf(run, instant, after, owed);
  return [
    ...issued.flatMap((entry) => {
      const { taken, limit } = takenAt(entry);
      return taken > limit ? [`${entry.userId} is issued ${taken} at ${entry.reachedAt}, of ${limit}`] : [];
    }),
    ...held.flatMap((row) => {
      const { taken, limit } = takenAt(row);
      return taken < limit ? [`${row.userId} has ${taken} of ${limit} at ${row.reachedAt}, and the rest is held`] : [];
    }),
  ];
}

type UserInstant = Pick<UnissuedRow, 'userId' | 'reachedAt'>;

/**
 * What counts toward `max_per_event` of an instant: what is paid and reached at it, as known now, and what is withheld; nothing
 * where nothing is owed.
 */
function takenOf(
  run: CombinedRun,
  { userId, reachedAt }: UserInstant,
  rows: readonly UnissuedRow[],
  owed: OwedByUser,
): { taken: number; limit: number } {
  const owing = [...(owed.of(userId)?.values() ?? [])].filter((each) => each.reachedAt === reachedAt);
  const occurrences = new Set(owing.map(({ occurrence }) => occurrence));
  const paid = paidAwards(run.published).filter(
    (award) => award.userId === userId && occurrences.has(award.occurrence),
  );
  const withheld = rows.filter(
    (row) => row.userId === userId && row.reachedAt === reachedAt && row.status === 'withheld',
  );
  if (owing.length === 0) return { taken: 0, limit: 0 };
  return {
    taken: paid.length + withheld.flatMap(keysOf).length,
    limit: run.bodyOf(owing[0].version).max_per_event,
  };
}

/** Reversals: of what is not owed any more, as the version says under which it was issued. */
function wrongReversal(run: CombinedRun, entry: PublishedEntry, owed: OwedByUser): string[] {
  const { userId, version, answer, isErased, occurrence, seq } = reversedIssue(run.published, entry);
  const key = keyOf(userId, occurrence);
  if (run.published.some((each) => each.awardId === entry.awardId && seq < each.seq && each.seq < entry.seq))
    return [`${key} is reversed twice`];
  if (isErased) return [`${key} is reversed, and its user was erased since`];
  const policy = run.bodyOf(version).claw_back;
  const wrong: string[] = [];
  if (owed.of(userId)?.has(occurrence)) wrong.push(`${key} is reversed, and owed`);
  if (policy === 'none' || answer === 'rejected' || (policy === 'before_confirm' && answer === 'confirmed'))
    wrong.push(`${key} is reversed, and its version ${version} says ${policy} of what is ${answer ?? 'not answered'}`);
  return wrong;
}

function isDecidable({ status }: UnissuedRow): boolean {
  return status === 'held_by_pause' || status === 'held_by_limit' || status === 'withheld';
}
