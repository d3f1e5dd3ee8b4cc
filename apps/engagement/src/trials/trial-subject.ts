import { CodedError } from '@podium/messages';
import { RaisedBudget, withRaisedTotal } from '../budgets/raised-budget.queries';
import { attributeSpecs } from '../definitions/attribute-specs';
import { refused } from '../definitions/body-problems';
import { Definition } from '../definitions/definition.entity';
import { generationOf } from '../definitions/generation';
import { isLive } from '../definitions/is-live';
import { retentionCutoff } from '../event-store/retention';
import { KnownSegment, requireSegments, segmentReferences } from '../definitions/segment-references';
import { SegmentBody, SegmentDefinition, TaskBody, TaskDefinition } from '../evaluation/definition';
import { DefinitionSet } from '../progress/definition-set';
import { TrialSubject } from './trial';

/** Unix seconds, half-open. */
export interface TrialDates {
  readonly from: number;
  readonly to: number;
}

/** The version to try: the stated one, else the newest; throws `unprocessable` when it does not exist. */
export function versionToTry(versions: readonly Definition[], number = versions.length): Definition {
  const version = versions.find((each) => each.version === number);
  if (!version) throw new CodedError('unprocessable', { message: `version: version ${number} does not exist.` });
  return version;
}

/** What a preview of a segment's version evaluates: as if it had always been in force. */
export function previewSubject(version: Definition, live: DefinitionSet): TrialSubject {
  const draft: SegmentDefinition = {
    ...commonOf(version),
    kind: 'segment',
    versions: [{ version: version.version, generation: 1, inForceFrom: 0, body: version.body as SegmentBody }],
  };
  return { kind: 'preview', draft, segments: segmentsOf([version], live) };
}

/**
 * What a dry run evaluates: a task's version, and the published one beside it, as if its dates were the stated ones, with the
 * budgets that count now.
 */
export function dryRunSubject(
  version: Definition,
  versions: readonly Definition[],
  { dates, raised }: { readonly dates: TrialDates; readonly raised: RaisedBudget | null },
  live: DefinitionSet,
): TrialSubject {
  const published = versions.find(isLive);
  const beside = published === undefined || published === version ? null : published;
  const generation =
    version.generation ??
    generationOf(
      version,
      versions.filter((each) => each !== version),
    ).generation;
  return {
    kind: 'dry_run',
    draft: taskOn(version, generation, dates, raised),
    published: beside === null ? null : taskOn(beside, beside.generation ?? 1, dates, raised),
    segments: segmentsOf(beside === null ? [version] : [version, beside], live),
  };
}

function taskOn(
  version: Definition,
  generation: number,
  { from, to }: TrialDates,
  raised: RaisedBudget | null,
): TaskDefinition {
  const stated = version.body as TaskBody;
  const budget = stated.budget && withRaisedTotal(stated.budget, raised);
  const body: TaskBody = { ...stated, starts_at: from, ends_at: to, ...(budget && { budget }) };
  return {
    ...commonOf(version),
    kind: 'task',
    versions: [{ version: version.version, generation, inForceFrom: from, body }],
  };
}

function commonOf({ definitionId, platform, organizerId, attributeTypes }: Definition) {
  return {
    ...{ definitionId, platform, organizerId, paused: false, endedAt: null },
    specs: attributeSpecs(attributeTypes),
  };
}

/** The segments on which versions depend, as they are published; throws `unprocessable` where one is missing or has ended. */
function segmentsOf(versions: readonly Definition[], { byId }: DefinitionSet): SegmentDefinition[] {
  const published = new Map(
    [...byId].flatMap(([id, live]) => (live.kind === 'segment' ? [[id, live.definition] as const] : [])),
  );
  const known = new Map(
    [...published]
      .filter(([, { platform }]) => platform === versions[0].platform)
      .map(([id, segment]): [string, KnownSegment] => [
        id,
        { isEnded: segment.endedAt !== null, bodies: segment.versions.map(({ body }) => body) },
      ]),
  );
  const [tried] = versions;
  requireSegments(tried, known);
  const found = new Map<string, SegmentDefinition>();
  const open = versions.flatMap(({ body }) => segmentReferences(body).map(({ segmentId }) => segmentId));
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const segment = published.get(id);
    if (segment === undefined || found.has(id)) continue;
    found.set(id, segment);
    open.push(...segment.versions.flatMap(({ body }) => segmentReferences(body).map(({ segmentId }) => segmentId)));
  }
  return [...found.values()];
}

/** How long the first events of a dry run's dates are still stored when it is ordered, at least. */
const expiryMarginS = 3_600;

/**
 * Checks the dates of a dry run: of the past, and not before the events that are stored. `to` has been rounded up to a whole
 * second, and so is now.
 */
export function requirePastDates(dates: TrialDates, nowMs: number): void {
  const storedFromS = retentionCutoff(nowMs) + expiryMarginS;
  if (dates.from >= dates.to) throw refused('to', 'must lie after from');
  if (dates.to > Math.ceil(nowMs / 1000))
    throw refused('to', 'must not lie ahead: a dry run is over events that have happened');
  if (dates.from < storedFromS)
    throw refused(
      'from',
      `must not lie before ${new Date(storedFromS * 1000).toISOString()}, because older events are not stored, or not until the dry run has ended`,
    );
}
