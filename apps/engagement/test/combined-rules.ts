import { fillsCap } from '../src/awards/known-award';
import { occurrenceKey } from '../src/awards/occurrence-range';
import type { CombinedRun } from './combined-run';
import { type CombinedStep, type PublishedEntry, type UnissuedRow, users } from './combined-steps';
import { capOf, owedOf } from './oracle';

const limit = 100;

/** What broke a rule in a step, as sentences. */
export function wrongInStep(
  run: CombinedRun,
  step: CombinedStep,
  before: readonly UnissuedRow[],
  after: readonly UnissuedRow[],
): string[] {
  const { total, perDay } = run.budget;
  const issued = run.publishedInStep.filter(({ kind }) => kind === 'issued');
  const wrong: string[] = [];
  const spent = spentUnits(run.published);
  const [{ day } = { day: null }] = issued;
  const spentToday = spentUnits(
    run.published.filter((each) => each.day === run.day),
    run.published,
  );
  if (day !== null && total !== undefined && spent > total) wrong.push(`${spent} of ${total} units are spent`);
  if (day !== null && perDay !== undefined && spentToday > perDay)
    wrong.push(`${spentToday} of ${perDay} units are spent on ${day}`);
  if (run.definition.paused && issued.length > 0) wrong.push('the task is paused, and issues');
  const known = new Set(before.filter(isWithheldByBudget).flatMap(keysOf));
  if (step.does !== 'answer')
    for (const row of after.filter(isWithheldByBudget)) {
      if (keysOf(row).every((key) => known.has(key))) continue;
      const left = row.reason === 'budget_total' ? (total ?? Infinity) - spent : (perDay ?? Infinity) - spentToday;
      if (left >= Number(row.amount)) wrong.push(`${keysOf(row).join()} is withheld though ${left} units are left`);
    }
  const paid = paidAwards(run);
  for (const [index, award] of paid.entries())
    for (const other of paid.slice(0, index))
      if (other.account === award.account && other.occurrence === award.occurrence && !run.hasRejectedReversal)
        wrong.push(`${award.account} is paid twice for ${award.occurrence}: ${award.userId}, ${other.userId}`);
  for (const user of users) {
    const own = after.filter((row) => row.userId === user);
    const ofRows = new Set(own.flatMap(keysOf));
    const both = paid.filter(({ userId, occurrence }) => userId === user && ofRows.has(`${user} ${occurrence}`));
    if (both.length > 0 && !run.hasRejectedReversal)
      wrong.push(`${user} is paid and has a row of ${both.map(({ occurrence }) => occurrence).join()}`);
    const filled = filledBy(run, user, after);
    if (filled > run.highestCap && !run.hasRejectedReversal) wrong.push(`${user} has ${filled} of ${run.highestCap}`);
  }
  return wrong.map((sentence) => `${JSON.stringify(step)}: ${sentence}`);
}

/** What is wrong once everything has settled, as sentences. */
export function wrongAtEnd(run: CombinedRun, rows: readonly UnissuedRow[]): string[] {
  const wrong: string[] = [];
  const paid = paidAwards(run);
  const cap = capOf(run.definition);
  for (const user of users) {
    const made = run.worldOf(user);
    const owed = owedOf(made, run.definition, run.nowS, { limit });
    if (owed.length === limit) continue;
    const owedKeys = new Set(owed.map(({ occurrence }) => occurrence));
    const own = rows.filter((row) => row.userId === user);
    const noted = new Map(own.flatMap((row) => keysOf(row).map((key) => [key, row] as const)));
    const paidTo = new Map(paid.filter(({ userId }) => userId === user).map((each) => [each.occurrence, each]));
    const isFull = filledBy(run, user, rows) >= cap;
    for (const { occurrence, account, reachedAt } of owed) {
      const row = noted.get(`${user} ${occurrence}`);
      if (row === undefined && !paidTo.has(occurrence) && !isFull)
        wrong.push(`${user} is owed ${occurrence} (${account} at ${reachedAt}), and it is neither issued nor noted`);
    }
    for (const [key, row] of noted) {
      const occurrence = key.slice(user.length + 1);
      if (row.status === 'refused') continue;
      if (row.status === 'held_by_pause') wrong.push(`${key} is still held by a pause`);
      if (!owedKeys.has(occurrence)) wrong.push(`${key} is ${row.status}, and not owed`);
      if (row.status === 'unlinked' && made.links.some(({ linkedAt }) => linkedAt > row.reachedAt))
        wrong.push(`${key} waits for a link, though there is a later one`);
      const isBlocking = (award: PublishedEntry): boolean =>
        award.userId !== user && award.account === row.account && award.occurrence === occurrence;
      if (row.status === 'blocked' && !paid.some(isBlocking)) wrong.push(`${key} is blocked by nobody`);
    }
    for (const { occurrence, version, answer, kind, awardId } of paidTo.values()) {
      if (owedKeys.has(occurrence) || kind === 'reversed') continue;
      const policy = run.definition.versions.find((each) => each.version === version)!.body.claw_back;
      if (answer === 'rejected' || policy === 'none' || (policy === 'before_confirm' && answer === 'confirmed'))
        continue;
      wrong.push(`${user} is not owed ${occurrence}, and it is not reversed (${awardId})`);
    }
  }
  return wrong;
}

/** Of each award the newest issue or reversal, where it is paid: not reversed, or the reversal was rejected. */
function paidAwards({ published }: CombinedRun): PublishedEntry[] {
  const newest = new Map(published.map((entry) => [entry.awardId, entry]));
  return [...newest.values()].filter(({ kind, answer }) => kind === 'issued' || answer === 'rejected');
}

function filledBy(run: CombinedRun, user: string, rows: readonly UnissuedRow[]): number {
  const paid = paidAwards(run).filter(({ userId }) => userId === user).length;
  return rows
    .filter(({ userId, status }) => userId === user && fillsCap(status))
    .reduce((sum, { first, last }) => sum + last - first + 1, paid);
}

/** Units of issues that were neither rejected nor taken back for good. */
function spentUnits(some: readonly PublishedEntry[], all = some): number {
  return some
    .filter((issue) => {
      if (issue.kind !== 'issued' || issue.answer === 'rejected') return false;
      const reversal = all.find(
        (each) => each.awardId === issue.awardId && each.kind === 'reversed' && each.seq > issue.seq,
      );
      return reversal?.answer !== 'confirmed';
    })
    .reduce((sum, { amount }) => sum + amount, 0);
}

function isWithheldByBudget({ status, reason }: UnissuedRow): boolean {
  return status === 'withheld' && (reason === 'budget_total' || reason === 'budget_day');
}

function keysOf({ userId, series, first, last }: UnissuedRow): string[] {
  return Array.from({ length: last - first + 1 }, (_, n) => `${userId} ${occurrenceKey(series, first + n)}`);
}
