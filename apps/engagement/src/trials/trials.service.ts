import { randomUUID } from 'node:crypto';
import { CodedError } from '@podium/messages';
import { Operator, keyInCursor, requireRole } from '@podium/runtime/http';
import { Pool, inTransaction, queryable } from '@podium/runtime/postgres';
import { readRaisedBudget } from '../budgets/raised-budget.queries';
import { canonicalTime } from '../definitions/canonical-value';
import { timeOf } from '../definitions/check-value';
import { Definition, DefinitionKind } from '../definitions/definition.entity';
import { DefinitionsService } from '../definitions/definitions.service';
import { DefinitionSet } from '../progress/definition-set';
import { LiveDefinitions } from '../progress/live-definitions';
import { partOf } from '../reports/report-part';
import { Report } from '../reports/report';
import { readSample } from './sample.store';
import { ListedTrial, NewTrial, Trial, TrialSide, TrialSubject } from './trial';
import { dryRunSubject, previewSubject, requirePastDates, versionToTry } from './trial-subject';
import { CappedUserReply, DryRunAwardReply, DryRunDto, DryRunReply, PreviewReply } from './trial.dto';
import { cappedUserReply, dryRunAwardReply, dryRunReply, previewReply } from './trial-reply';
import { countCapped, readCapped, readTrialAwards } from './trial-reports.queries';
import { readTrialDays, readTrialTasks } from './trial-results.store';
import { findTrial, insertTrial, listDryRuns, listPreviews, moveTrial } from './trials.store';

/** Trials of a definition that are listed. */
const listedAtMost = 20;

/**
 * Previews of segments and dry runs of tasks: ordered here, evaluated in the background. All methods throw `not_found` for a
 * definition that the operator may not see and for a trial of another one; ordering and cancelling need the role editor.
 */
export class TrialsService {
  constructor(
    private readonly pool: Pool,
    private readonly definitions: DefinitionsService,
    private readonly live: LiveDefinitions,
    private readonly now: () => number = Date.now,
  ) {}

  /** Throws `conflict` while another preview of the segment has not finished. */
  async orderPreview(operator: Operator, segmentId: string, number?: number): Promise<PreviewReply> {
    const versions = await this.editable('segment', operator, segmentId);
    const version = versionToTry(versions, number);
    return this.preview(await this.order(operator, version, null, (live) => previewSubject(version, live)));
  }

  /** Throws `conflict` while another dry run of the task has not finished. */
  async orderDryRun(operator: Operator, taskId: string, request: DryRunDto): Promise<DryRunReply> {
    const versions = await this.editable('task', operator, taskId);
    const version = versionToTry(versions, request.version);
    const dates = {
      from: canonicalTime(timeOf(request.from, 'from')),
      to: canonicalTime(timeOf(request.to, 'to')),
    };
    requirePastDates(dates, this.now());
    const raised = await readRaisedBudget(queryable(this.pool), taskId);
    const trial = await this.order(operator, version, dates, (live) =>
      dryRunSubject(version, versions, { dates, raised }, live),
    );
    return this.dryRun(trial);
  }

  async showPreview(operator: Operator, segmentId: string, trialId: string): Promise<PreviewReply> {
    return this.preview(await this.find('segment', operator, segmentId, trialId));
  }

  async showDryRun(operator: Operator, taskId: string, trialId: string): Promise<DryRunReply> {
    return this.dryRun(await this.find('task', operator, taskId, trialId));
  }

  /** Newest first. */
  async listPreviews(operator: Operator, segmentId: string): Promise<PreviewReply[]> {
    await this.definitions.requireVisible('segment', operator, segmentId);
    const trials = await listPreviews(queryable(this.pool), segmentId, listedAtMost);
    const capped = await countCapped(queryable(this.pool), idsOf(trials));
    return trials.map((trial) => previewReply(trial, capped.get(trial.trialId) ?? 0, []));
  }

  /** Newest first, without days. */
  async listDryRuns(operator: Operator, taskId: string): Promise<DryRunReply[]> {
    await this.definitions.requireVisible('task', operator, taskId);
    const db = queryable(this.pool);
    const trials = await listDryRuns(db, taskId, listedAtMost);
    const capped = await countCapped(db, idsOf(trials));
    const results = { tasks: await readTrialTasks(db, idsOf(trials)), days: [] };
    return trials.map((trial) => dryRunReply(trial, capped.get(trial.trialId) ?? 0, results));
  }

  /** One that has finished does not change. */
  async cancelPreview(operator: Operator, segmentId: string, trialId: string): Promise<PreviewReply> {
    return this.preview(await this.cancel('segment', operator, segmentId, trialId));
  }

  /** One that has finished does not change. */
  async cancelDryRun(operator: Operator, taskId: string, trialId: string): Promise<DryRunReply> {
    return this.dryRun(await this.cancel('task', operator, taskId, trialId));
  }

  /** The awards of a dry run by (`reached_at`, user). */
  async awards(
    operator: Operator,
    taskId: string,
    trialId: string,
    { side = 'draft', cursor }: { readonly side?: TrialSide; readonly cursor?: string },
  ): Promise<Report<DryRunAwardReply>> {
    const organizerId = await this.definitions.requireVisible('task', operator, taskId);
    await this.require(taskId, trialId);
    return {
      organizerId,
      after: keyInCursor(cursor, ['number', 'number', 'int32']),
      read: async (after, limit) => {
        const [reachedAt, userRef, n] = (after ?? []).map(Number);
        const place = after === null ? null : { reachedAt, userRef, n };
        const rows = await readTrialAwards(queryable(this.pool), { trialId, side }, place, limit + 1);
        return partOf(rows, limit, (row) => [row.reachedAt, row.userRef, row.n], dryRunAwardReply);
      },
    };
  }

  /** The users whom a trial did not evaluate. */
  async capped(
    kind: DefinitionKind,
    operator: Operator,
    definitionId: string,
    trialId: string,
    cursor?: string,
  ): Promise<Report<CappedUserReply>> {
    const organizerId = await this.definitions.requireVisible(kind, operator, definitionId);
    await this.require(definitionId, trialId);
    return {
      organizerId,
      after: keyInCursor(cursor, ['number', 'string', 'int32']),
      read: async (after, limit) => {
        const place =
          after === null ? null : { userRef: Number(after[0]), name: String(after[1]), month: Number(after[2]) };
        const rows = await readCapped(queryable(this.pool), trialId, place, limit + 1);
        return partOf(rows, limit, ({ userRef, name, month }) => [userRef, name, month], cappedUserReply);
      },
    };
  }

  private async editable(kind: DefinitionKind, operator: Operator, definitionId: string): Promise<Definition[]> {
    const versions = await this.definitions.show(kind, operator, definitionId);
    requireRole(operator, versions[0].organizerId, 'editor');
    return versions;
  }

  private async order(
    { operatorId }: Operator,
    { definitionId, version, platform }: Definition,
    dates: NewTrial['dates'],
    subjectOf: (live: DefinitionSet) => TrialSubject,
  ): Promise<Trial> {
    const now = new Date(this.now());
    return inTransaction(this.pool, async (tx) => {
      const trial: NewTrial = {
        ...{ trialId: randomUUID(), definitionId, version, platform, dates, orderedBy: operatorId },
        subject: subjectOf(await this.live.current(tx)),
        asOf: Math.floor(now.getTime() / 1000),
      };
      if (!(await insertTrial(tx, trial, now)))
        throw new CodedError('conflict', {
          message: 'An earlier one has not finished; wait for it, or cancel it.',
        });
      return (await findTrial(tx, definitionId, trial.trialId))!;
    });
  }

  private async find(kind: DefinitionKind, operator: Operator, definitionId: string, trialId: string): Promise<Trial> {
    await this.definitions.requireVisible(kind, operator, definitionId);
    return this.require(definitionId, trialId);
  }

  private async require(definitionId: string, trialId: string): Promise<Trial> {
    const trial = await findTrial(queryable(this.pool), definitionId, trialId);
    if (trial === null) throw new CodedError('not_found');
    return trial;
  }

  private async cancel(
    kind: DefinitionKind,
    operator: Operator,
    definitionId: string,
    trialId: string,
  ): Promise<Trial> {
    await this.editable(kind, operator, definitionId);
    await this.find(kind, operator, definitionId, trialId);
    await moveTrial(queryable(this.pool), trialId, 'cancelled', new Date(this.now()));
    return this.find(kind, operator, definitionId, trialId);
  }

  private async preview(trial: Trial): Promise<PreviewReply> {
    const db = queryable(this.pool);
    const capped = await countCapped(db, [trial.trialId]);
    return previewReply(trial, capped.get(trial.trialId) ?? 0, await readSample(db, trial.trialId));
  }

  private async dryRun(trial: Trial): Promise<DryRunReply> {
    const db = queryable(this.pool);
    const ids = [trial.trialId];
    const capped = await countCapped(db, ids);
    const results = { tasks: await readTrialTasks(db, ids), days: await readTrialDays(db, ids) };
    return dryRunReply(trial, capped.get(trial.trialId) ?? 0, results);
  }
}

function idsOf(trials: readonly ListedTrial[]): string[] {
  return trials.map(({ trialId }) => trialId);
}
