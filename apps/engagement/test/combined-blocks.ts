import type { RowsOfStep } from './combined-issues';
import { keyOf, paidAwards, rowsByKey } from './combined-ledger';
import type { OwedByUser } from './combined-owed';
import type { CombinedRun } from './combined-run';
import type { PublishedEntry, UnissuedRow } from './combined-steps';

/**
 * Blocks (reading 7): while the account is paid under another user, the occurrence stays blocked by it, and no other account is
 * paid; and after the close nothing ends a block by an award that was issued.
 */
export function wrongBlocks(run: CombinedRun, { before, after }: RowsOfStep, owed: OwedByUser): string[] {
  const { published, publishedInStep } = run;
  const noted = rowsByKey(after);
  const issued = new Set(
    publishedInStep.flatMap(({ kind, ...entry }) => (kind === 'issued' ? [keyOf(entry.userId, entry.occurrence)] : [])),
  );
  const isChanged = new Set(publishedInStep.map(({ awardId }) => awardId));
  const paid = paidAwards(published).filter(({ awardId }) => !isChanged.has(awardId));
  return [...rowsByKey(before)].flatMap(([key, row]) => {
    if (row.status !== 'blocked') return [];
    const occurrence = key.slice(row.userId.length + 1);
    const isOfAnother = (award: PublishedEntry): boolean => isPaidToOther(award, { ...row, occurrence });
    // An award of the same evaluation or payment may have blocked it, and the budget have withheld that one: then it is free.
    if (!(run.nowS >= run.closesAt ? published : paid).some(isOfAnother)) return [];
    if (issued.has(key)) return [`${key} is issued, and was blocked by ${row.account}`];
    const now = noted.get(key);
    if (now !== undefined && (now.status !== 'blocked' || now.account !== row.account))
      return [`${key} is ${now.status} with ${now.account}, and was blocked by ${row.account}`];
    if (now !== undefined || run.isErasedInStep(row.userId)) return [];
    // The bonus engine has refused to take an earlier issue back.
    const isKept = paid.some((award) => award.userId === row.userId && award.occurrence === occurrence);
    const isLost = !isKept && owed.of(row.userId)?.has(occurrence);
    return isLost ? [`${key} is not noted any more, and was blocked by ${row.account}`] : [];
  });
}

/** Whether an award pays the account of a row's occurrence under another user. */
export function isPaidToOther(
  award: PublishedEntry,
  { userId, account, occurrence }: Pick<UnissuedRow, 'userId' | 'account'> & { readonly occurrence: string },
): boolean {
  return award.userId !== userId && award.account === account && award.occurrence === occurrence;
}
