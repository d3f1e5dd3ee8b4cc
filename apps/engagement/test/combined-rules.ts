import type { LinkPeriod } from '../src/evaluation/history';
import { RowsOfStep, wrongEntries } from './combined-issues';
import { isPaidToOther, wrongBlocks } from './combined-blocks';
import { filledBy, isWithheldByBudget, keyOf, keysOf, paidAwards, rowsByKey, spentUnits } from './combined-ledger';
import { OwedByUser, amountOf } from './combined-owed';
import type { CombinedRun } from './combined-run';
import { type CombinedStep, type UnissuedRow, users } from './combined-steps';
import { capOf } from './oracle';

/** What broke a rule in a step, as sentences. */
export function wrongInStep(run: CombinedRun, step: CombinedStep, rows: RowsOfStep): string[] {
  const owed = new OwedByUser(run);
  const { after } = rows;
  const wrong = [
    ...wrongEntries(run, step, rows, owed),
    ...wrongBudget(run, step, rows),
    ...wrongPlaces(run, step, rows),
    ...wrongBlocks(run, rows, owed),
    // All that is due is settled then.
    ...(step.does === 'settle' ? wrongWhenSettled(run, after, owed) : []),
  ];
  if (run.definition.paused && step.does !== 'pay' && run.publishedInStep.some(({ kind }) => kind === 'issued'))
    wrong.push('the task is paused, and issues');
  return wrong.map((sentence) => `${JSON.stringify(step)}: ${sentence}`);
}

/** Budgets: never one unit over, nothing withheld that fits, and what is left is what was not spent. */
function wrongBudget(run: CombinedRun, step: CombinedStep, { before, after, isOverMidnight }: RowsOfStep): string[] {
  const { total, perDay } = run.budget;
  const { inTotal, ofDay } = run.leftUnits;
  const wrong: string[] = [];
  if (run.publishedInStep.some(({ kind }) => kind === 'issued')) {
    if (inTotal < 0) wrong.push(`${spentUnits(run.published)} of ${total} units are spent`);
    if (ofDay < 0) wrong.push(`${spentUnits(run.published, run.day)} of ${perDay} units are spent on ${run.day}`);
  }
  // The next issue brings the rows to the newest version.
  if (run.budgetLeft.version === run.definition.versions.length) wrong.push(...wrongCounts(run));
  if (step.does === 'answer') return wrong;
  const known = new Set(before.filter(isWithheldByBudget).flatMap(keysOf));
  for (const row of after.filter(isWithheldByBudget)) {
    if (keysOf(row).every((key) => known.has(key))) continue;
    // It was another day's budget.
    if (row.reason === 'budget_day' && isOverMidnight) continue;
    const units = row.reason === 'budget_total' ? inTotal : ofDay;
    if (units >= Number(row.amount)) wrong.push(`${keysOf(row).join()} is withheld though ${units} units are left`);
  }
  return wrong;
}

/** Of the rows that count a budget: they follow what is stated or was raised, and what is left is what was not spent. */
function wrongCounts({ budget, budgetLeft: left, published, day }: CombinedRun): string[] {
  const wrong: string[] = [];
  const [spent, spentToday] = [spentUnits(published), spentUnits(published, day)];
  if (left.total !== (budget.total ?? null))
    wrong.push(`the rows follow a total of ${left.total}, not ${budget.total}`);
  if (left.perDay !== (budget.perDay ?? null)) wrong.push(`the rows follow ${left.perDay} a day, not ${budget.perDay}`);
  if (left.total !== null && left.leftInTotal !== null && !isSame(left.leftInTotal, left.total - spent))
    wrong.push(`${left.leftInTotal} units are left, of ${left.total} with ${spent} spent`);
  if (left.perDay !== null && left.leftOfDay !== null && !isSame(left.leftOfDay, left.perDay - spentToday))
    wrong.push(`${left.leftOfDay} units are left of ${day}, of ${left.perDay} with ${spentToday} spent`);
  return wrong;
}

/**
 * An occurrence is paid or noted; and a user gets no place beyond the newest `max_per_user`. A reversal that the bonus engine
 * rejects brings back an award, whose occurrence may be noted by then, or its place taken.
 */
function wrongPlaces(run: CombinedRun, step: CombinedStep, { before, after }: RowsOfStep): string[] {
  if (step.does === 'answer') return [];
  const { published, publishedInStep } = run;
  const noted = rowsByKey(after);
  const issued = publishedInStep.filter(({ kind }) => kind === 'issued');
  const wrong = issued
    .filter(({ userId, occurrence }) => noted.has(keyOf(userId, occurrence)))
    .map(({ userId, occurrence }) => `${userId} is paid and has a row of ${occurrence}`);
  const earlier = published.slice(0, published.length - publishedInStep.length);
  for (const user of users) {
    const filled = filledBy(published, user, after);
    const most = Math.max(capOf(run.definition), filledBy(earlier, user, before));
    if (filled > most) wrong.push(`${user} has ${filled} of ${most}`);
  }
  return wrong;
}

/** What is wrong once everything has settled, as sentences. */
export function wrongWhenSettled(run: CombinedRun, rows: readonly UnissuedRow[], owed = new OwedByUser(run)): string[] {
  return users.flatMap((user) => [
    ...wrongMissing(run, user, rows, owed),
    ...wrongRows(run, user, rows, owed),
    ...wrongUnreversed(run, user, owed),
  ]);
}

/** Owed, with a place, and neither issued nor noted; what time decides may wait for links. */
function wrongMissing(run: CombinedRun, user: string, rows: readonly UnissuedRow[], owed: OwedByUser): string[] {
  if (filledBy(run.published, user, rows) >= capOf(run.definition)) return [];
  const noted = rowsByKey(rows);
  const paid = new Set(paidAwards(run.published).map(({ userId, occurrence }) => keyOf(userId, occurrence)));
  return [...(owed.of(user)?.values() ?? [])]
    .filter(({ occurrence }) => !noted.has(keyOf(user, occurrence)) && !paid.has(keyOf(user, occurrence)))
    .filter(({ decidedById, reachedAt }) => decidedById !== null || reachedAt <= run.linksPassedS)
    .map(
      ({ occurrence, account, reachedAt }) =>
        `${user} is owed ${occurrence} (${account} at ${reachedAt}), and it is neither issued nor noted`,
    );
}

/** Rows that are not owed, not as they are owed, or wait for what is over. */
function wrongRows(run: CombinedRun, user: string, rows: readonly UnissuedRow[], owed: OwedByUser): string[] {
  const found = owed.of(user);
  if (found === null) return [];
  const { links } = run.worldOf(user);
  const paid = paidAwards(run.published);
  const wrong: string[] = [];
  for (const [key, row] of rowsByKey(rows.filter(({ userId }) => userId === user))) {
    const occurrence = key.slice(user.length + 1);
    if (row.status === 'refused') continue;
    if (row.status === 'held_by_pause' && !run.definition.paused) wrong.push(`${key} is still held by a pause`);
    const owing = found.get(occurrence);
    if (owing === undefined) wrong.push(`${key} is ${row.status}, and not owed`);
    else if (amountOf(owing.reward) !== row.amount)
      wrong.push(`${key} is ${row.status} with ${row.amount}, and not with ${amountOf(owing.reward)}`);
    const isLater = ({ linkedAt }: LinkPeriod): boolean => linkedAt > row.reachedAt && linkedAt < run.closesAt;
    if (row.status === 'unlinked' && links.some(isLater))
      wrong.push(`${key} waits for a link, though there is a later one`);
    // A reversal after the close ends no block.
    const blocking = run.nowS < run.closesAt ? paid : run.published;
    if (row.status === 'blocked' && !blocking.some((award) => isPaidToOther(award, { occurrence, ...row })))
      wrong.push(`${key} is blocked by nobody`);
  }
  return wrong;
}

/** Issued, not owed any more, and not reversed as the version says under which it was issued. */
function wrongUnreversed(run: CombinedRun, user: string, owed: OwedByUser): string[] {
  const found = owed.of(user);
  if (found === null) return [];
  return paidAwards(run.published)
    .filter(({ userId, occurrence }) => userId === user && !found.has(occurrence))
    .filter(({ version, answer, kind, isErased }) => {
      // What an erased user was paid for is gone: it stays.
      if (kind === 'reversed' || isErased || answer === 'rejected') return false;
      const policy = run.bodyOf(version).claw_back;
      return policy === 'always' || (policy === 'before_confirm' && answer === null);
    })
    .map(({ occurrence, awardId }) => `${user} is not owed ${occurrence}, and it is not reversed (${awardId})`);
}

function isSame(a: number, b: number): boolean {
  return Math.abs(a - b) < 0.001;
}
