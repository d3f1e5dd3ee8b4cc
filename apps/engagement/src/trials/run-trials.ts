import { Pool, Queryable, failureKindOf, inTransaction, queryable } from '@podium/runtime/postgres';
import { Logger } from '@podium/runtime/log';
import { statedBudget } from '../budgets/stated-budget';
import { isRebuilding } from '../definitions/published-definitions.store';
import { retentionCutoff } from '../event-store/retention';
import { tryUsers } from './dry-run-step';
import { explainSample, previewUsers } from './preview-step';
import { priceAwards } from './price-awards';
import { Trial, tasksOf } from './trial';
import { TrialTask, addPrices, readAwardsToPrice, readTrialDays, readTrialTasks } from './trial-results.store';
import {
  advanceTrial,
  beginTrial,
  countFailure,
  forgetFailures,
  moveTrial,
  readFromOneMoment,
  readTrialUsers,
  takeTrial,
} from './trials.store';
import { usersWithRoom } from './users-with-room';

/** Awards whose costs are added in one transaction, for each user that one may have. */
const pricedPerUser = 10;

/**
 * After so many failures in succession a trial is given up. Each halves the users or awards of a step, whichever instance it
 * was, so that the last step had few.
 */
const maxFailures = 10;

/** What trials are run with; `now` is Unix milliseconds. */
export interface TrialParts {
  readonly pool: Pool;
  readonly now: () => number;
  readonly logger: Logger;
}

/**
 * Continues the trial that waits longest by at most `limit` users, in one transaction that reads all from one moment. Returns
 * the number of users, at least 1; 0 when no trial waits, or another instance has it. Trials wait while the state of users is
 * rebuilt.
 */
export async function continueTrial(parts: TrialParts, limit: number): Promise<number> {
  let taken: Trial | null = null;
  try {
    return await inTransaction(parts.pool, async (tx) => {
      await readFromOneMoment(tx);
      taken = await takeTrial(tx);
      if (taken === null || (await isRebuilding(tx))) return 0;
      return step(tx, parts, taken, limit);
    });
  } catch (error) {
    await giveUp(parts, taken, error);
    throw error;
  }
}

async function step(tx: Queryable, parts: TrialParts, trial: Trial, limit: number): Promise<number> {
  const now = new Date(parts.now());
  if (trial.state !== 'pricing' && hasExpired(trial, now)) {
    await moveTrial(tx, trial.trialId, 'failed', now);
    const { trialId: trial_id, dates } = trial;
    parts.logger.warn({ trial_id, from: dates?.from }, 'events of the first days of a dry run are not stored any more');
  } else if (trial.state === 'waiting') await beginTrial(tx, trial);
  else if (trial.state === 'pricing') await price(tx, trial, limit, now);
  else return tryNext(tx, trial, limit, now);
  return 1;
}

/** Whether events of its dates may have been deleted: users who are evaluated from then on would be paid less. */
function hasExpired({ dates }: Trial, now: Date): boolean {
  return dates !== null && dates.from < retentionCutoff(now.getTime());
}

async function tryNext(tx: Queryable, trial: Trial, most: number, now: Date): Promise<number> {
  const limit = halved(Math.min(most, usersWithRoom(trial.subject)), trial);
  const { trialId, platform } = trial;
  const wanted = (await readTrialUsers(tx, trial, limit)).map((user) => ({ ...user, platform }));
  const { users, members } =
    trial.subject.kind === 'dry_run'
      ? { users: await tryUsers(tx, trial, wanted), members: 0 }
      : await previewUsers(tx, trial, wanted);
  const afterUserRef = users.at(-1)?.userRef ?? trial.afterUserRef;
  await advanceTrial(tx, trialId, { afterUserRef, users: users.length, members });
  if (wanted.length === limit || users.length < wanted.length) return users.length;
  if (trial.subject.kind === 'preview') await explainSample(tx, trial);
  await moveTrial(tx, trialId, trial.subject.kind === 'dry_run' ? 'pricing' : 'finished', now);
  return Math.max(1, users.length);
}

/** The size of a step after the failures of a trial. */
function halved(size: number, { failures }: Trial): number {
  return Math.max(1, size >> failures);
}

async function price(tx: Queryable, trial: Trial, users: number, now: Date): Promise<void> {
  const awards = halved(users * pricedPerUser, trial);
  for (const task of await readTrialTasks(tx, [trial.trialId]))
    if (await priceTask(tx, trial, task, awards)) return forgetFailures(tx, trial.trialId);
  await moveTrial(tx, trial.trialId, 'finished', now);
}

/** Adds the costs of the next awards of a task; false when none is left. */
async function priceTask(tx: Queryable, { trialId, subject }: Trial, task: TrialTask, most: number): Promise<boolean> {
  const awards = await readAwardsToPrice(tx, task, most);
  const definition = tasksOf(subject).find(({ side }) => side === task.side)?.task;
  if (awards.length === 0 || !definition) return false;
  const firstDay = new Date(awards[0].reachedAt * 1000).toISOString().slice(0, 10);
  const known = await readTrialDays(tx, [trialId], { days: [firstDay] });
  const days = new Map(known.filter(({ side }) => side === task.side).map(({ day, paid }) => [day, paid]));
  await addPrices(tx, task, priceAwards(awards, statedBudget(definition), { total: task.paid, days }));
  return true;
}

async function giveUp({ pool, now, logger }: TrialParts, trial: Trial | null, error: unknown): Promise<void> {
  if (trial === null || failureKindOf(error) === 'outage') return;
  const { trialId } = trial;
  if ((await countFailure(queryable(pool), trialId)) < maxFailures) return;
  await moveTrial(queryable(pool), trialId, 'failed', new Date(now()));
  logger.error({ err: error, trial_id: trialId }, 'a preview or dry run cannot be evaluated; it is given up');
}
