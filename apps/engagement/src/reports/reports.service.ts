import { Operator, keyInCursor } from '@podium/runtime/http';
import { Pool, inTransaction, queryable } from '@podium/runtime/postgres';
import { DefinitionsService } from '../definitions/definitions.service';
import { evaluateTask } from '../evaluation/evaluate-task';
import { DefinitionSet, LiveTask } from '../progress/definition-set';
import { LiveDefinitions } from '../progress/live-definitions';
import { namesOfProgress, progressOf, seriesAt } from '../shown-progress/shown-progress';
import { isoTime, taskAwardReply } from './award-evidence-reply';
import { Report } from './report';
import { ReadPart, ReportPart, partOf } from './report-part';
import { ReportUser, readMembers, readUsersWithHistory } from './report-users.queries';
import { MemberReply, ProgressReply, TaskAwardReply } from './report.dto';
import { beginSnapshot } from './snapshot.queries';
import { countOccurrences, readTaskAwards } from './task-awards.queries';
import { readUserViews } from './user-views';
import { inTurns } from './users-at-once';

/** Users of the platform among which one statement looks for those with a history. */
const usersAtOnce = 10_000;

type ProgressItem = ReportPart<ProgressReply>['items'][number];

/**
 * Members, awards and progress of definitions. All throw `not_found` for a definition that does not exist or whose organizer
 * the operator may not see, and `invalid_request` for a cursor of another list.
 */
export class ReportsService {
  constructor(
    private readonly pool: Pool,
    private readonly definitions: Pick<DefinitionsService, 'requireVisible'>,
    private readonly live: LiveDefinitions,
    private readonly now: () => number = Date.now,
  ) {}

  /** The members of a segment now, by user row. */
  async members(operator: Operator, segmentId: string, cursor?: string): Promise<Report<MemberReply>> {
    const organizerId = await this.definitions.requireVisible('segment', operator, segmentId);
    const read: ReadPart<MemberReply> = async (after, limit) => {
      const rows = await readMembers(queryable(this.pool), segmentId, Number(after?.[0] ?? 0), limit + 1);
      return partOf(
        rows,
        limit,
        (row) => [row.user_ref],
        ({ user_id, platform_user_id, changed_at, reason, segment_version }) => ({
          ...{ user_id, platform_user_id, since: isoTime(changed_at), reason, version: segment_version },
        }),
      );
    };
    return { read, organizerId, after: keyInCursor(cursor, ['number']) };
  }

  /** The awards of a task, by user and occurrence. */
  async awards(operator: Operator, taskId: string, cursor?: string): Promise<Report<TaskAwardReply>> {
    const organizerId = await this.definitions.requireVisible('task', operator, taskId);
    const read: ReadPart<TaskAwardReply> = async (after, limit) => {
      const key = after === null ? null : { userId: String(after[0]), occurrence: String(after[1]) };
      const rows = await readTaskAwards(queryable(this.pool), taskId, key, limit + 1);
      return partOf(rows, limit, ({ user_id, occurrence }) => [user_id, occurrence], taskAwardReply);
    };
    return { read, organizerId, after: keyInCursor(cursor, ['string', 'string']) };
  }

  /** The progress of users with events that the goal names, by user row; nothing once the engine has dropped the task's state. */
  async progress(operator: Operator, taskId: string, cursor?: string): Promise<Report<ProgressReply>> {
    const organizerId = await this.definitions.requireVisible('task', operator, taskId);
    const read: ReadPart<ProgressReply> = (after, limit) => this.readProgress(taskId, Number(after?.[0] ?? 0), limit);
    return { read, organizerId, after: keyInCursor(cursor, ['number']) };
  }

  private async readProgress(taskId: string, afterUserRef: number, limit: number): Promise<ReportPart<ProgressReply>> {
    const definitions = await inTransaction(this.pool, (tx) => this.live.currentOnceBuilt(tx));
    const task = definitions.byId.get(taskId);
    if (task?.kind !== 'task') return { items: [], next: null };
    return this.progressOfUsers(task, definitions, afterUserRef, limit);
  }

  /**
   * Pages and exports alike hold the views of one part of the users at a time, whatever the limit: at most 20,000 decoded events
   * and 2 MB of packed histories, or those of one user. Other work of the process has its turn whenever users were evaluated for
   * 10 ms, so that it waits that long and for the user whose turn it is.
   */
  private async progressOfUsers(
    task: LiveTask,
    definitions: DefinitionSet,
    afterUserRef: number,
    limit: number,
  ): Promise<ReportPart<ProgressReply>> {
    const nowS = Math.floor(this.now() / 1000);
    const asked = {
      platform: task.platform,
      names: [...namesOfProgress(task)],
      afterUserRef,
      limit,
      most: usersAtOnce,
    };
    const { users, next } = await readUsersWithHistory(queryable(this.pool), asked);
    const items: ProgressItem[] = [];
    // The next part probably has about as many users as this one, so that few are read in vain.
    for (let done = 0, most = users.length; done < users.length;) {
      const part = await this.progressOfFirst(task, definitions, users.slice(done, done + most), nowS);
      items.push(...part.items);
      done += part.users;
      most = 2 * part.users;
    }
    return { items, next: next === null ? null : [next] };
  }

  /** The progress of the first users whose events fit into memory together, read from one moment, and how many they are. */
  private async progressOfFirst(
    task: LiveTask,
    definitions: DefinitionSet,
    wanted: readonly ReportUser[],
    nowS: number,
  ): Promise<{ readonly items: readonly ProgressItem[]; readonly users: number }> {
    const { platform, definitionId, names } = task;
    const shown = seriesAt(task, nowS);
    const { series, periodEndsAt } = shown;
    const { views, counts } = await inTransaction(this.pool, async (tx) => {
      await beginSnapshot(tx);
      const userRefs = wanted.map(({ userRef }) => userRef);
      const read = await readUserViews(tx, { platform, userRefs, names, definitions });
      return {
        views: read,
        counts: await countOccurrences(tx, definitionId, wanted.slice(0, read.size), shown.series),
      };
    });
    const countsOf = new Map(counts.map((each) => [each.userRef, each]));
    const itemOf = ({ userRef, userId }: ReportUser): ProgressItem[] => {
      const given = countsOf.get(userRef);
      if (given === undefined) return [];
      const { view } = views.get(userRef)!;
      const { owed } = evaluateTask(task, view, names, { fromS: view.finalTo(names), nowS });
      const { value, target, reachedAt } = progressOf(task, shown, view, owed);
      const { issued, held, withheld, hasSeries } = given;
      const item: ProgressReply = {
        ...{ user_id: userId, platform_user_id: view.linkAt(nowS)?.account ?? null },
        ...{ series, period_ends_at: periodEndsAt === null ? null : isoTime(periodEndsAt), value, target },
        ...{ reached: reachedAt !== null || hasSeries, issued, held, withheld },
      };
      return [{ key: [userRef], item }];
    };
    const items = await inTurns(wanted.slice(0, views.size), itemOf);
    return { items: items.flat(), users: views.size };
  }
}
