import { budgetUnit } from '../definitions/budget-unit';
import { holdsWithoutEvents } from '../evaluation/holds-without-events';
import { TaskDefinition } from '../evaluation/definition';
import { formatDecimal, toBillionths } from '../evaluation/exact-decimal';
import { isoTime } from '../reports/award-evidence-reply';
import { SampleMember } from './sample.store';
import { ListedDryRun, ListedTrial, Trial, TrialSide, tasksOf } from './trial';
import { CappedUserReply, DryRunAwardReply, DryRunReply, DryRunTaskReply, PreviewReply, TrialReply } from './trial.dto';
import { CappedRow, TrialAwardRow } from './trial-reports.queries';
import { TrialDay, TrialTask } from './trial-results.store';
import { keptDays } from './trials.store';

const dayS = 86_400;

/** A preview as operators see it. */
export function previewReply(trial: ListedTrial, cappedUsers: number, sample: readonly SampleMember[]): PreviewReply {
  return {
    ...{ preview_id: trial.trialId, segment_id: trial.definitionId },
    ...trialReply(trial, cappedUsers),
    members: trial.members,
    sample: sample.map(({ userId, comparisons }) => ({ user_id: userId, comparisons: comparisons ?? [] })),
  };
}

/** What dry runs found, of any of them. */
export interface DryRunResults {
  readonly tasks: readonly TrialTask[];
  readonly days: readonly (Pick<TrialTask, 'trialId' | 'side'> & TrialDay)[];
}

/** A dry run as operators see it. */
export function dryRunReply(trial: Trial | ListedDryRun, cappedUsers: number, results: DryRunResults): DryRunReply {
  const { trialId, definitionId, dates } = trial;
  if (dates === null) throw new TypeError('a dry run has dates');
  return {
    ...{ dry_run_id: trialId, task_id: definitionId },
    ...trialReply(trial, cappedUsers),
    ...{ from: isoTime(dates.from), to: isoTime(dates.to) },
    draft: taskReply(trial, 'draft', results)!,
    published: taskReply(trial, 'published', results),
  };
}

/** Awards per day over dates, of less than a day all of them; a decimal rounded up to hundredths. */
function awardsPerDay(awards: number, { from, to }: { readonly from: number; readonly to: number }): string {
  return (Math.ceil((awards * 100 * dayS) / Math.max(dayS, to - from)) / 100).toFixed(2);
}

/** An award of a dry run as operators see it. */
export function dryRunAwardReply(row: TrialAwardRow): DryRunAwardReply {
  const { userId, account, occurrence, reachedAt, reward, withheld } = row;
  return {
    ...{ user_id: userId, platform_user_id: account, occurrence },
    ...{ reached_at: isoTime(reachedAt), reward, withheld },
  };
}

/** A user who is not evaluated as operators see it. */
export function cappedUserReply({ userId, name, month }: CappedRow): CappedUserReply {
  const text = String(month);
  return { user_id: userId, name, month: `${text.slice(0, 4)}-${text.slice(4)}` };
}

function trialReply(trial: ListedTrial, cappedUsers: number): TrialReply {
  const { version, state, orderedBy, orderedAt, asOf, finishedAt, usersDone, usersTotal } = trial;
  return {
    ...{ version, state, ordered_by: orderedBy, ordered_at: orderedAt.toISOString(), as_of: isoTime(asOf) },
    finished_at: finishedAt?.toISOString() ?? null,
    expires_at: finishedAt === null ? null : new Date(finishedAt.getTime() + keptDays * dayS * 1000).toISOString(),
    ...{ users_done: usersDone, users_total: usersTotal, capped_users: cappedUsers },
  };
}

function taskReply(
  trial: Trial | ListedDryRun,
  side: TrialSide,
  { tasks, days }: DryRunResults,
): DryRunTaskReply | null {
  const found = tasks.find((each) => each.trialId === trial.trialId && each.side === side);
  const task = tasksOf(trial.subject).find((each) => each.side === side)?.task;
  if (!found || !task || trial.dates === null) return null;
  const { version, users, awards, held, unlinked, unpayable, blocked, withheld } = found;
  const { body } = newestOf(task);
  return {
    ...{ version, users, awards, awards_per_day: awardsPerDay(awards, trial.dates) },
    ...{ held, unlinked, unpayable, blocked },
    ...{ unit: budgetUnit(body.reward), cost: shortest(found.cost), budget: body.budget ?? null },
    ...{ paid: shortest(found.paid), withheld, budget_ended_on: found.budgetEndedOn },
    rewards_without_events: holdsWithoutEvents(body.goal),
    days: days
      .filter((each) => each.trialId === trial.trialId && each.side === side)
      .map((each) => ({
        ...{ day: each.day, awards: each.awards, cost: shortest(each.cost) },
        ...{ withheld: each.withheld, paid: shortest(each.paid) },
      })),
  };
}

function newestOf({ versions }: TaskDefinition): TaskDefinition['versions'][number] {
  return versions[versions.length - 1];
}

/** The database keeps zeros at the end. */
function shortest(decimal: string): string {
  return formatDecimal(toBillionths(decimal));
}
