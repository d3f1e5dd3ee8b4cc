import { PeriodicTask } from '@podium/runtime/app';
import { Logger } from '@podium/runtime/log';
import { Queryable, inTransaction } from '@podium/runtime/postgres';
import { ApplyParts } from '../applying/apply-parts';
import { deleteDueOfEnded, readDueLag } from '../progress/due-times.store';
import { DueUsers } from '../due/due-users';
import { activeIds, settleDue } from '../due/settle-due';
import { sweepDefinitions } from '../due/sweep-definitions';
import { takeUnmarked } from '../due/take-unmarked';
import { UsersAside } from '../due/users-aside';
import { EngagementMetrics } from '../metrics/engagement-metrics';
import { tellWaitingDefinitions } from '../definitions/tell-definitions';
import { endClosedTasks } from '../definitions/end-closed-tasks';
import { knownAfterEndS } from '../definitions/published-definitions.store';
import { addUpDays, deleteOldDays } from '../awards/day-counts.store';
import { countPausedByEngine } from '../definitions/engine-pauses.store';
import { pauseTasksOverRate } from '../definitions/pause-over-rate';
import { expireEvents } from '../event-store/expire-events';
import { estimateInboxRows } from '../inbox/inbox.store';
import { inRounds } from '../pace/in-rounds';
import { tellStaleProgress } from '../due/tell-stale-progress';
import { leaveEnded } from '../memberships/leave-ended';
import { continueTrial } from '../trials/run-trials';
import { deleteExpiredTrials } from '../trials/trials.store';

/** Limits of one run, so that no transaction locks users for long, and vacuum keeps up with deletions. */
const maxDueUsers = 500;
const maxTakenUsers = 200;
const maxSweptUsers = 1000;
const maxToldDefinitions = 20;
const maxExpiredRows = 1000;
const maxTriedUsers = 500;
const maxDayChanges = 10_000;
const gaugesEveryMs = 15_000;

/**
 * The periodic tasks of an instance: due times, new versions, ended segments, closed tasks, what could not be published, trials,
 * retention, gauges. All instances share the work.
 */
export function backgroundWork(
  given: { parts: ApplyParts; db: Queryable; metrics: EngagementMetrics; logger: Logger },
  pauses: { duePollMs: number; retentionPollMs: number },
): PeriodicTask[] {
  const { parts, db, metrics, logger } = given;
  const [aside, takenAside, toldAside] = [new UsersAside(), new UsersAside(), new UsersAside()];
  const dueUsers = new DueUsers();
  const settle = async (maxUsers: number): Promise<number> => {
    const round = await settleDue(parts, maxUsers, aside, dueUsers);
    metrics.countSettlement(round);
    return round.settled > 0 || !dueUsers.isEmpty ? round.users : 0;
  };
  const takeOlder = async (maxUsers: number): Promise<number> => {
    const round = await takeUnmarked(parts, maxUsers, takenAside);
    metrics.countSettlement(round);
    return round.users;
  };
  const tellStale = async (maxUsers: number): Promise<number> => {
    const round = await tellStaleProgress(parts, maxUsers, toldAside);
    metrics.countSettlement(round);
    return round.users;
  };
  const dropEnded = (limit: number): Promise<number> =>
    deleteDueOfEnded(db, new Date(parts.now() - knownAfterEndS * 1000), limit);
  const trialParts = { pool: parts.pool, now: parts.now, logger };
  const dropTrials = (limit: number): Promise<number> => deleteExpiredTrials(db, new Date(parts.now()), limit);
  const pauseOverRate = async (limit: number): Promise<number> => {
    const changes = await addUpDays(db, limit);
    await pauseTasksOverRate(parts.pool, logger);
    return changes;
  };
  const updateGauges = async (): Promise<void> => {
    const ids = activeIds(await inTransaction(parts.pool, (tx) => parts.definitions.current(tx)));
    metrics.dueLagSeconds.set(await readDueLag(db, ids, Math.floor(parts.now() / 1000)));
    metrics.backgroundRatio.set(parts.pace.shareOfTime);
    metrics.inboxRows.set(await estimateInboxRows(db));
    metrics.pausedTasks.set(await countPausedByEngine(db));
    metrics.leftOutDefinitions.set(parts.definitions.leftOutCount);
  };
  const { duePollMs, retentionPollMs } = pauses;
  const task = (
    name: string,
    everyMs: number,
    run: (limit: number, signal: AbortSignal) => Promise<number | void>,
    maxLimit?: number,
  ): PeriodicTask => new PeriodicTask({ name, everyMs, run: (signal, limit) => run(limit, signal), maxLimit, logger });
  return [
    task(
      'due',
      duePollMs,
      inRounds(parts.pace, settle, () => dueUsers.waitedS),
      maxDueUsers,
    ),
    task('events of the release before', duePollMs * 4, inRounds(parts.pace, takeOlder), maxTakenUsers),
    task(
      'sweep',
      duePollMs * 4,
      inRounds(parts.pace, (limit) => sweepDefinitions(parts, limit, aside)),
      maxSweptUsers,
    ),
    task(
      'ended segments',
      duePollMs * 4,
      inRounds(parts.pace, (limit) => leaveEnded(parts, limit)),
      maxSweptUsers,
    ),
    task(
      'definitions to publish',
      duePollMs * 4,
      (limit) => tellWaitingDefinitions(parts.pool, limit),
      maxToldDefinitions,
    ),
    task('progress to publish', duePollMs * 4, inRounds(parts.pace, tellStale), maxTakenUsers),
    task('rates of tasks', duePollMs * 2, pauseOverRate, maxDayChanges),
    task('days of tasks', retentionPollMs, () => deleteOldDays(db, parts.now())),
    task(
      'previews and dry runs',
      duePollMs * 2,
      inRounds(parts.pace, (limit) => continueTrial(trialParts, limit)),
      maxTriedUsers,
    ),
    task('results of previews and dry runs', retentionPollMs, dropTrials, maxExpiredRows),
    task('retention', retentionPollMs, (limit) => expireEvents({ db, now: parts.now }, metrics, limit), maxExpiredRows),
    task('closed tasks', retentionPollMs, async () => void (await endClosedTasks(parts.pool, parts.now()))),
    task('due times of ended definitions', retentionPollMs, dropEnded, maxExpiredRows),
    task('gauges', gaugesEveryMs, updateGauges),
  ];
}
