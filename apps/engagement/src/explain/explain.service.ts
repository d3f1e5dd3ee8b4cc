import { CodedError } from '@podium/messages';
import { Operator } from '@podium/runtime/http';
import { Pool, Queryable, inTransaction } from '@podium/runtime/postgres';
import { Definition } from '../definitions/definition.entity';
import { DefinitionsService } from '../definitions/definitions.service';
import { capOf } from '../awards/task-finding';
import { versionIndexAt } from '../evaluation/compiled-segment';
import { TaskDefinition, closesAt } from '../evaluation/definition';
import { DefinitionSet, LiveDefinition } from '../progress/definition-set';
import { LiveDefinitions } from '../progress/live-definitions';
import { isoTime, taskAwardReply } from '../reports/award-evidence-reply';
import { findUserRef } from '../reports/report-users.queries';
import { beginSnapshot } from '../reports/snapshot.queries';
import { readAwardsOfUser, readRecordedOccurrences } from '../reports/task-awards.queries';
import { ReadView, readUserViews } from '../reports/user-views';
import { listMemberships } from '../users/user.queries';
import { explainSegment } from './explain-segment';
import { explainedInstant } from './explained-instant';
import { ExplainedUser, TaskExplanation, explainTask, explainedSecond } from './explain-task';
import { comparisonReply, linkReply, occurrencesReply, timeReply } from './explanation-reply';
import {
  ExplainQuery,
  ExplanationReply,
  SegmentExplanationReply,
  TaskDatesReply,
  TaskExplanationReply,
} from './explanation.dto';
import { filledByRecords, occurrenceStates } from './occurrence-states';

const maxAwards = 20;
const maxOccurrences = 200;

/** One user and definition, as read from the database at one moment. */
interface Subject {
  readonly userRef: number;
  readonly platform: string;
  readonly userId: string;
  readonly atS: number;
  readonly isPast: boolean;
  readonly user: ExplainedUser;
  /** Null where only records remain. */
  readonly live: LiveDefinition | null;
  readonly notExact: ExplanationReply['not_exact_because'];
  /** The version in force; null where the engine does not know the definition. */
  readonly version: number | null;
}

/**
 * Explains a definition for one user at an instant (docs/engine.md, rule 6). Throws `not_found` for a definition that the
 * operator may not see and for an unknown user, and `invalid_request` for an instant that is ahead.
 */
export class ExplainService {
  constructor(
    private readonly pool: Pool,
    private readonly definitions: DefinitionsService,
    private readonly live: LiveDefinitions,
    private readonly now: () => number = Date.now,
  ) {}

  async segment(operator: Operator, segmentId: string, query: ExplainQuery): Promise<SegmentExplanationReply> {
    const versions = await this.definitions.show('segment', operator, segmentId);
    return this.read(versions[0], query, async (tx, subject) => {
      const published = (await listMemberships(tx, subject.userRef)).find(({ segment_id }) => segment_id === segmentId);
      const { live, user } = subject;
      const explained = live?.kind === 'segment' ? explainSegment(live, user) : null;
      return {
        segment_id: segmentId,
        ...commonReply(subject, explained),
        member: explained?.member ?? null,
        ended:
          explained?.hasEnded ?? versions.some(({ endedAt, state }) => state === 'ended' && isBy(endedAt, subject.atS)),
        published_member: published?.member ?? null,
        published_since: timeReply(published?.changed_at ?? null),
      };
    });
  }

  async task(operator: Operator, taskId: string, query: ExplainQuery): Promise<TaskExplanationReply> {
    const versions = await this.definitions.show('task', operator, taskId);
    return this.read(versions[0], query, async (tx, subject) => {
      const { live, user, atS } = subject;
      const key = { ...subject, taskId };
      const recorded = await readRecordedOccurrences(tx, key, atS);
      const awards = await readAwardsOfUser(tx, key, atS, maxAwards);
      const explained = live?.kind === 'task' ? explainTask(live, user) : null;
      const task = live?.kind === 'task' ? live.definition : null;
      const maxPerUser = task === null ? Infinity : capOf(task);
      const states = occurrenceStates(explained?.owed ?? [], recorded, atS, maxPerUser);
      return {
        task_id: taskId,
        ...commonReply(subject, explained),
        explained_at: timeReply(explained?.explainedAtS ?? null),
        paused: versions.some(({ state, endedWhilePaused }) => state === 'paused' || endedWhilePaused),
        max_per_user: Number.isFinite(maxPerUser) ? maxPerUser : null,
        max_per_user_filled: filledByRecords(recorded),
        dates: explained === null || task === null ? null : datesReply(explained, task),
        eligible_segment: explained?.version.eligibleId ?? null,
        eligible: explained?.isEligible ?? null,
        steps: explained?.steps ?? null,
        occurrences: states.slice(-maxOccurrences).map(occurrencesReply),
        occurrences_left_out: Math.max(0, states.length - maxOccurrences),
        awards: awards.map(taskAwardReply),
      };
    });
  }

  private async read<Reply>(
    { platform, definitionId }: Definition,
    query: ExplainQuery,
    explain: (tx: Queryable, subject: Subject) => Promise<Reply>,
  ): Promise<Reply> {
    const nowMs = this.now();
    const nowS = Math.floor(nowMs / 1000);
    const atS = explainedInstant(query.at, nowMs);
    const definitions = await inTransaction(this.pool, (tx) => this.live.current(tx));
    return inTransaction(this.pool, async (tx) => {
      await beginSnapshot(tx);
      const userRef = await findUserRef(tx, platform, query.user_id);
      if (userRef === null)
        throw new CodedError('not_found', {
          message: 'user_id: no event and no link of this user is known at the platform. Check the id.',
        });
      const known = definitions.byId.get(definitionId);
      const asked = { platform, userRefs: [userRef], names: known?.names ?? [], definitions };
      const read = (await readUserViews(tx, asked, true)).get(userRef)!;
      const notExact = whyNotExact(definitions, known, read, atS);
      const user = { ...read, atS, segments: segmentsOf(definitions) };
      const live = notExact === null ? (known ?? null) : null;
      const { user_id: userId } = query;
      const version = known ? versionAt(known, atS) : null;
      return explain(tx, { userRef, platform, userId, atS, isPast: atS < nowS, user, live, notExact, version });
    });
  }
}

function whyNotExact(
  { isRebuilding }: DefinitionSet,
  known: LiveDefinition | undefined,
  { view }: ReadView,
  atS: number,
): Subject['notExact'] {
  if (isRebuilding) return 'rebuilding';
  if (!known) return 'not_live';
  const explainedAtS = known.kind === 'task' ? explainedSecond(known, atS) : atS;
  return explainedAtS < view.finalTo(known.names) ? 'condensed' : null;
}

function versionAt({ definition: { versions } }: LiveDefinition, atS: number): number {
  return versions[versionIndexAt(versions, atS)].version;
}

function segmentsOf({ byId }: DefinitionSet): ExplainedUser['segments'] {
  return new Map([...byId].flatMap(([id, live]) => (live.kind === 'segment' ? [[id, live] as const] : [])));
}

function commonReply(
  { platform, userId, atS, isPast, user, notExact, version }: Subject,
  explained: Pick<TaskExplanation, 'holds' | 'comparisons' | 'dueAt'> | null,
): ExplanationReply {
  return {
    ...{ platform, user_id: userId, at: isoTime(atS), exact: notExact === null, not_exact_because: notExact },
    version,
    linked: user.view.isLinkedAt(atS),
    link: linkReply(user.view.linkAt(atS)),
    holds: explained?.holds ?? null,
    comparisons: explained?.comparisons.map(comparisonReply) ?? [],
    due_at: isPast ? null : timeReply(explained?.dueAt ?? null),
  };
}

function datesReply({ version, isInDates }: TaskExplanation, task: TaskDefinition): TaskDatesReply {
  return {
    starts_at: isoTime(version.startS),
    ends_at: timeReply(Math.min(version.body.ends_at ?? Infinity, task.endedAt ?? Infinity)),
    closes_at: timeReply(closesAt(task)),
    within: isInDates,
  };
}

function isBy(date: Date | null, atS: number): boolean {
  return date !== null && date.getTime() <= atS * 1000;
}
