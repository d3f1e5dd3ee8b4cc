import { Logger } from '@podium/runtime/log';
import { Queryable } from '@podium/runtime/postgres';
import { ApplyParts } from './apply-batch';
import { readDueLag } from './due/due-times.store';
import { activeIds, settleDue } from './due/settle-due';
import { sweepDefinitions } from './due/sweep-definitions';
import { EngagementMetrics } from './engagement-metrics';
import { expireEvents } from './event-store/expire-events';
import { estimateInboxRows } from './inbox/inbox.store';
import { leaveEnded } from './memberships/leave-ended';
import { RepeatedWork } from './repeated-work';

/** Bounds of one part of the work, so that no transaction holds users for long. */
const dueUsersPerDefinition = 200;
const sweptUsersPerPart = 1000;
const figuresPauseMs = 15_000;

/** What an instance does without being asked: due times, new versions, retention, figures; instances share it. */
export function backgroundWork(
  given: { parts: ApplyParts; db: Queryable; metrics: EngagementMetrics; logger: Logger },
  pauses: { duePollMs: number; retentionPollMs: number },
): RepeatedWork[] {
  const { parts, db, metrics, logger } = given;
  const due = async (): Promise<boolean> => {
    const round = await settleDue(parts, dueUsersPerDefinition);
    metrics.countSettlement(round);
    return round.settled > 0;
  };
  const figures = async (): Promise<boolean> => {
    const ids = activeIds(await parts.definitions.current(db));
    metrics.dueLagSeconds.set(await readDueLag(db, ids, Math.floor(parts.now() / 1000)));
    metrics.inboxRows.set(await estimateInboxRows(db));
    return false;
  };
  return [
    new RepeatedWork({ name: 'due', pauseMs: pauses.duePollMs, part: due, logger }),
    new RepeatedWork({
      name: 'sweep',
      pauseMs: pauses.duePollMs * 4,
      part: () => sweepDefinitions(parts, sweptUsersPerPart),
      logger,
    }),
    new RepeatedWork({
      name: 'ended segments',
      pauseMs: pauses.duePollMs * 4,
      part: () => leaveEnded(parts, sweptUsersPerPart),
      logger,
    }),
    new RepeatedWork({
      name: 'retention',
      pauseMs: pauses.retentionPollMs,
      part: () => expireEvents({ db, now: parts.now }, metrics),
      logger,
    }),
    new RepeatedWork({ name: 'figures', pauseMs: figuresPauseMs, part: figures, logger }),
  ];
}
