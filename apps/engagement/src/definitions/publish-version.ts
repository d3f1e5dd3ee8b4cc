import { CodedError } from '@podium/messages';
import { TaskBody } from '../evaluation/definition';
import { refused } from './body-problems';
import { budgetUnit } from './budget-unit';
import { canonicalTime } from './canonical-value';
import { timeOf } from './check-value';
import { Definition, PausedBecause } from './definition.entity';
import { generationOf } from './generation';
import { holdsWithoutEvents } from '../evaluation/holds-without-events';
import { inForceFroms, isAhead, maxDaysAhead, nextFullTenMinutes } from './in-force-from';
import { isLive } from './is-live';
import { maxPerDayOf } from './max-per-day';
import { PricedVersion } from './priced-versions.queries';
import { requireBounds, requireOpen } from './publication-bounds';
import { requirePayable } from './require-payable';

/** What an operator asks for beside the version. */
export interface PublishRequest {
  /** ISO 8601. */
  readonly in_force_from?: string;
  readonly rewards_without_events?: boolean;
  readonly recount?: boolean;
  readonly forecast_multiple?: number;
}

/** The changes that publishing makes to a version. */
export interface Publication {
  readonly generation: number;
  /** Unix seconds of event time. */
  readonly inForceFrom: number;
  /** For the release before, which counts events by receipt. */
  readonly countsFrom: Date;
  readonly recount: boolean;
  /** Awards of a day above which the engine pauses a task; null: it does not. */
  readonly maxPerDay: number | null;
  /** Stays with a task that stays paused. */
  readonly pausedBecause: PausedBecause | null;
  readonly state: 'published' | 'paused';
}

/**
 * The version to publish: the stated one; it may be left out while there is only one. Throws `unprocessable` when it does not exist,
 * and `conflict` for a draft that is not stated: the approver may have read another one, also where this is the only draft, because
 * the one before it was published meanwhile.
 */
export function versionToPublish(versions: readonly Definition[], stated: number | undefined): Definition {
  const newest = versions[versions.length - 1];
  if (stated === undefined && versions.length > 1 && newest.state === 'draft')
    throw new CodedError('conflict', {
      message: `version: state the version that you have read; the newest draft is version ${newest.version}.`,
    });
  const number = stated ?? versions.length;
  const found = versions.find(({ version }) => version === number);
  if (!found) throw new CodedError('unprocessable', { message: `version: version ${number} does not exist.` });
  return found;
}

/**
 * Decides whether and from when on a version is in force, and its generation: that of the version before if goal and repeat,
 * or the condition, are the same, else the next one (docs/engine.md, reading 4). A paused definition stays paused. `priced` is
 * the newest finished dry run of the version. Who may publish, an approver who did not write the version, is checked before in
 * `DefinitionsService.publish` (four-eyes.ts). Throws `conflict`, `invalid_request` or `unprocessable` with the reason.
 */
export function publishVersion(
  version: Definition,
  others: readonly Definition[],
  request: PublishRequest,
  now: Date,
  priced: PricedVersion | null = null,
): Publication {
  const live = others.find(isLive);
  if (version.state !== 'draft')
    throw new CodedError('conflict', {
      message: `version ${version.version} is ${version.state}, and only a draft can be published; add a version to change it.`,
    });
  if (live && live.version > version.version)
    throw new CodedError('conflict', {
      message: `version ${live.version} is published, which is newer; add a version with what this one has.`,
    });
  const published = others.filter(({ generation }) => generation !== null);
  const known = inForceFroms(published);
  const nowS = Math.ceil(now.getTime() / 1000);
  const inForceFrom = inForceFromOf(version, { request, now, after: known.at(-1) ?? null });
  requireBounds(version.body, live?.body ?? null, { nowS, inForceFrom, firstInForceFrom: known[0] ?? inForceFrom });
  if (version.kind === 'task')
    requireTask(
      version.body as TaskBody,
      published.map(({ body }) => body as TaskBody),
      request,
      nowS,
    );
  const state = live?.state === 'paused' ? 'paused' : 'published';
  const { generation, countsFrom } = generationOf(version, others);
  const recount = request.recount === true;
  if (recount) requireRecount(version, { isFirst: published.length === 0, isNew: countsFrom === null, priced });
  const maxPerDay = maxPerDayOf(version.body, request.forecast_multiple, priced);
  const pausedBecause = live?.pausedBecause ?? null;
  return { generation, inForceFrom, countsFrom: countsFrom ?? now, recount, maxPerDay, pausedBecause, state };
}

function inForceFromOf(
  { body, version }: Definition,
  { request, now, after }: { request: PublishRequest; now: Date; after: number | null },
): number {
  const nowS = Math.ceil(now.getTime() / 1000);
  const inForceFrom =
    request.in_force_from === undefined
      ? after === null
        ? Math.floor(now.getTime() / 1000)
        : nextFullTenMinutes(nowS)
      : statedInstant(request.in_force_from, nowS, body.zone);
  if (after !== null && inForceFrom <= after)
    throw refused(
      'in_force_from',
      `must lie after that of the version before ${version}, which is ${new Date(after * 1000).toISOString()}`,
    );
  return inForceFrom;
}

function statedInstant(text: string, nowS: number, zone: string): number {
  const stated = canonicalTime(timeOf(text, 'in_force_from'));
  if (!isAhead(stated, nowS, zone))
    throw refused(
      'in_force_from',
      `must lie at least 10 minutes ahead, or be the start of a day of ${zone} that is ahead`,
    );
  if (stated > nowS + maxDaysAhead * 86_400)
    throw refused(
      'in_force_from',
      `must lie at most ${maxDaysAhead} days ahead: no version could replace this one before ${new Date(stated * 1000).toISOString()}`,
    );
  return stated;
}

/** A recount is for a changed goal that pays once or per period, and a dry run has priced it. */
function requireRecount(
  { body, version }: Definition,
  given: { readonly isFirst: boolean; readonly isNew: boolean; readonly priced: PricedVersion | null },
): void {
  if (!('goal' in body)) throw refused('recount', 'is for tasks; a segment has no dates');
  if ('every' in body.repeat)
    throw refused('recount', 'is for tasks that repeat once or per period; leave it out for "every"');
  if (given.isFirst || !given.isNew)
    throw refused('recount', 'is for a version whose goal or repeat differs from the published one; leave it out');
  if (given.priced === null)
    throw refused('recount', `needs a finished dry run of version ${version}, which shows what it pays`);
}

/** `published` are the bodies of the published versions, oldest first. */
function requireTask(body: TaskBody, published: readonly TaskBody[], request: PublishRequest, nowS: number): void {
  const newest = published.at(-1);
  if (newest) requireOpen(newest, nowS);
  // A draft of the release before was not checked for it.
  requirePayable(body.reward);
  if (request.rewards_without_events !== true && holdsWithoutEvents(body.goal))
    throw refused(
      'rewards_without_events',
      'the goal can hold without any event in its windows, so that it pays everybody at its start, and with "per" in every period; state true if that is intended',
    );
  const unit = budgetUnit(body.reward);
  const hasBudget = [body, ...published].some(({ budget }) => budget !== undefined);
  if (hasBudget && published.some(({ reward }) => budgetUnit(reward) !== unit))
    throw refused('reward', 'must keep currency, unit or item of the earlier versions, in which the budget is counted');
}
