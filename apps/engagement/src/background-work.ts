import { Logger } from '@podium/runtime/log';
import { Queryable } from '@podium/runtime/postgres';
import { ApplyParts } from './apply-batch';
import { readDueLag } from './due/due-times.store';
import { activeIds, settleDue } from './due/settle-due';
import { sweepDefinitions } from './due/sweep-definitions';
import { UsersAside } from './due/users-aside';
import { EngagementMetrics } from './engagement-metrics';
import { expireEvents } from './event-store/expire-events';
import { estimateInboxRows } from './inbox/inbox.store';
import { leaveEnded } from './memberships/leave-ended';
import { RepeatedWork } from './repeated-work';

/** Bounds of one part of the work, so that no transaction holds users for long, and vacuum keeps up with what is deleted. */
const dueUsersPerPart = 500;
const sweptUsersPerPart = 1000;
const expiredRowsPerPart = 1000;
const figuresPauseMs = 15_000;

/** What an instance does without being asked: due times, new versions, retention, figures; instances share it. */
export function backgroundWork(
  given: { parts: ApplyParts; db: Queryable; metrics: EngagementMetrics; logger: Logger },
  pauses: { duePollMs: number; retentionPollMs: number },
): RepeatedWork[] {
  const { parts, db, metrics, logger } = given;
  const aside = new UsersAside();
  const due = async (mostUsers: number): Promise<number> => {
    const round = await settleDue(parts, mostUsers, aside);
    metrics.countSettlement(round);
    return round.settled > 0 ? round.users : 0;
  };
  const figures = async (): Promise<number> => {
    const ids = activeIds(await parts.definitions.current(db));
    metrics.dueLagSeconds.set(await readDueLag(db, ids, Math.floor(parts.now() / 1000)));
    metrics.inboxRows.set(await estimateInboxRows(db));
    return 0;
  };
  return [
    new RepeatedWork({ name: 'due', pauseMs: pauses.duePollMs, part: due, most: dueUsersPerPart, logger }),
    new RepeatedWork({
      name: 'sweep',
      pauseMs: pauses.duePollMs * 4,
      part: (mostUsers) => sweepDefinitions(parts, mostUsers),
      most: sweptUsersPerPart,
      logger,
    }),
    new RepeatedWork({
      name: 'ended segments',
      pauseMs: pauses.duePollMs * 4,
      part: (mostUsers) => leaveEnded(parts, mostUsers),
      most: sweptUsersPerPart,
      logger,
    }),
    new RepeatedWork({
      name: 'retention',
      pauseMs: pauses.retentionPollMs,
      part: (mostRows) => expireEvents({ db, now: parts.now }, metrics, mostRows),
      most: expiredRowsPerPart,
      logger,
    }),
    new RepeatedWork({ name: 'figures', pauseMs: figuresPauseMs, part: figures, logger }),
  ];
}
