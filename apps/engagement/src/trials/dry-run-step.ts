import { Queryable } from '@podium/runtime/postgres';
import { PaidAccounts } from '../awards/decide-awards';
import { TaskFinding } from '../awards/task-finding';
import { evaluateTask } from '../evaluation/evaluate-task';
import { LiveDefinition } from '../progress/definition-set';
import { isCapped, readStoredGroups } from '../reports/user-sizes.queries';
import { eventsAtOnce, firstThatFit, inTurns } from '../reports/users-at-once';
import { LockedUser } from '../users/users.store';
import { StoredView, readStoredViews } from './stored-views';
import { compileTrial } from './compile-trial';
import { Trial, TrialSide, tasksOf } from './trial';
import { sumCounts } from './trial-counts';
import { TrialTaskKey, addCapped, addTrialAwards, readPaidAccounts } from './trial-results.store';
import { TriedTask, tryTask } from './try-task';
import { keepUsers } from './trials.store';

/** A task of a dry run, compiled. */
interface TrialTaskLive {
  readonly side: TrialSide;
  readonly task: Extract<LiveDefinition, { kind: 'task' }>;
}

/**
 * Evaluates the tasks of a dry run for users in the order of their rows, by their stored events alone, and adds what it would
 * issue. Users of whom events may be missing are listed and not evaluated. Returns the users that it came to.
 */
export async function tryUsers(
  tx: Queryable,
  trial: Trial,
  wanted: readonly LockedUser[],
): Promise<readonly LockedUser[]> {
  const { trialId } = trial;
  const tasks = await compiledTasks(tx, trial);
  const names = new Set(tasks.flatMap(({ task }) => [...task.names]));
  const wantedRefs = wanted.map(({ userRef }) => userRef);
  const all = await readStoredGroups(tx, wantedRefs, names);
  const fitting = firstThatFit(
    wantedRefs,
    all.map(({ userRef, events }) => [userRef, events]),
    eventsAtOnce,
  );
  const users = wanted.slice(0, fitting.length);
  const userRefs = new Set(users.map(({ userRef }) => userRef));
  const capped = all.filter((group) => isCapped(group) && userRefs.has(group.userRef));
  for (const { userRef } of capped) userRefs.delete(userRef);
  const complete = users.filter(({ userRef }) => userRefs.has(userRef));
  const views = await readStoredViews(tx, [...userRefs], names);
  const tried: { readonly key: TrialTaskKey; readonly found: readonly TriedTask[] }[] = [];
  for (const { side, task } of tasks)
    tried.push({ key: { trialId, side }, found: await tryTaskOf(tx, { trialId, side }, task, complete, views, trial) });
  await keepUsers(tx, users);
  await addCapped(tx, trialId, capped);
  for (const { key, found } of tried)
    await addTrialAwards(
      tx,
      key,
      found.flatMap(({ awards }) => awards),
      sumCounts(found.map(({ counts }) => counts)),
    );
  return users;
}

async function compiledTasks(tx: Queryable, trial: Trial): Promise<TrialTaskLive[]> {
  const compiled: TrialTaskLive[] = [];
  for (const { side, task } of tasksOf(trial.subject)) {
    const live = (await compileTrial(tx, trial, task)).byId.get(task.definitionId);
    if (live?.kind === 'task') compiled.push({ side, task: live });
  }
  return compiled;
}

async function tryTaskOf(
  tx: Queryable,
  key: TrialTaskKey,
  task: TrialTaskLive['task'],
  users: readonly LockedUser[],
  views: ReadonlyMap<number, StoredView>,
  { asOf: nowS }: Trial,
): Promise<TriedTask[]> {
  const findings = await inTurns(users, (user): TaskFinding => {
    const { view, links } = views.get(user.userRef)!;
    const { owed } = evaluateTask(task, view, task.names, { fromS: 0, nowS });
    return { user, task: task.definition, owed, finalTo: 0, links };
  });
  const owing = findings.filter(({ owed }) => owed.length > 0);
  const paid = await PaidInTrial.read(tx, key, owing);
  return owing.map((finding) => paid.claim(tryTask(finding, paid, nowS)));
}

/** The occurrences that a dry run pays to accounts, of the users before. */
class PaidInTrial implements PaidAccounts {
  private constructor(private readonly paid: Set<string>) {}

  static async read(tx: Queryable, key: TrialTaskKey, findings: readonly TaskFinding[]): Promise<PaidInTrial> {
    const accounts = findings.flatMap(({ owed, links }) => [
      ...owed.flatMap(({ account }) => account ?? []),
      ...links.map(({ account }) => account),
    ]);
    const rows = await readPaidAccounts(tx, key, [...new Set(accounts)]);
    return new PaidInTrial(new Set(rows.map(({ account, occurrence }) => keyOf(account, occurrence))));
  }

  has(account: string, occurrence: string): boolean {
    return this.paid.has(keyOf(account, occurrence));
  }

  /** Adds what one user is paid, for the users after. */
  claim(tried: TriedTask): TriedTask {
    for (const { account, occurrence } of tried.awards) this.paid.add(keyOf(account, occurrence));
    return tried;
  }
}

function keyOf(account: string, occurrence: string): string {
  return JSON.stringify([account, occurrence]);
}
