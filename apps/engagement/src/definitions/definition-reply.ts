import { Filter } from '../evaluation/condition';
import { AttributeSpecs, SegmentBody, TaskBody } from '../evaluation/definition';
import { attributeSpecs } from './attribute-specs';
import { attributeTypeOf } from './canonical-condition';
import { writtenTimestamp } from './canonical-value';
import { VersionReply } from './definition.dto';
import { Definition } from './definition.entity';
import { isLive } from './is-live';
import { occurrenceLimit } from './occurrence-limit';
import { SegmentReply, SegmentVersionReply, SegmentWithVersionsReply } from './segment.dto';
import { TaskReply, TaskVersionReply, TaskWithVersionsReply } from './task.dto';

/** A segment by all its versions, oldest first. */
export function segmentWithVersions(versions: readonly Definition[]): SegmentWithVersionsReply {
  return { ...segmentReply(versions), versions: versions.map(segmentVersion) };
}

/** A segment with its published version, otherwise its newest one. */
export function segmentReply(versions: readonly Definition[]): SegmentReply {
  const shown = shownVersion(versions);
  const { definitionId, platform, organizerId } = shown;
  return { segment_id: definitionId, platform, organizer_id: organizerId, ...segmentVersion(shown) };
}

/** A task by all its versions, oldest first. */
export function taskWithVersions(versions: readonly Definition[]): TaskWithVersionsReply {
  return { ...taskReply(versions), versions: versions.map(taskVersion) };
}

/** A task with its published version, otherwise its newest one. */
export function taskReply(versions: readonly Definition[]): TaskReply {
  const shown = shownVersion(versions);
  const { definitionId, platform, organizerId } = shown;
  return { task_id: definitionId, platform, organizer_id: organizerId, ...taskVersion(shown) };
}

function shownVersion(versions: readonly Definition[]): Definition {
  const live = versions.find(isLive);
  const ended = versions.find(({ state }) => state === 'ended');
  return live ?? ended ?? versions[versions.length - 1];
}

/** A body that cannot be read may lack any part; what is left out is shown as a body of this release has it. */
type StoredBody<Body> = Partial<Body>;

const defaultZone = 'UTC';

function segmentVersion(definition: Definition): SegmentVersionReply {
  const { condition, zone = defaultZone } = definition.body as StoredBody<SegmentBody>;
  return { ...versionReply(definition), condition: withShownTimes(condition, definition), zone };
}

function taskVersion(definition: Definition): TaskVersionReply {
  const body = definition.body as StoredBody<TaskBody>;
  return {
    ...versionReply(definition),
    goal: withShownTimes(body.goal, definition),
    repeat: body.repeat ?? {},
    zone: body.zone ?? defaultZone,
    max_per_user: body.max_per_user ?? null,
    eligible: body.eligible ?? null,
    starts_at: timeOf(body.starts_at),
    ends_at: timeOf(body.ends_at),
    reward: withShownTimes(body.reward, definition),
    budget: body.budget ?? null,
    claw_back: body.claw_back ?? 'none',
    max_per_event: body.max_per_event ?? occurrenceLimit,
    max_per_day: body.max_per_day ?? null,
    pauses_above: definition.maxPerDay,
    paused_by_engine: definition.pausedBecause,
    ended_while_paused: definition.endedWhilePaused,
  };
}

/**
 * A copy with times as operators write them: the bounds of windows in ISO 8601, the values of a least or greatest time as the
 * check takes them. Empty where a body that cannot be read has none.
 */
function withShownTimes(part: object | undefined, { attributeTypes }: Definition): object {
  const specs = attributeSpecs(attributeTypes);
  return JSON.parse(JSON.stringify(part ?? {}), (field, value: unknown) => {
    if (field === 'between' && Array.isArray(value))
      return value.map((time: unknown) => (typeof time === 'number' ? isoOf(time) : time));
    return isTimeComparison(value, specs) ? { ...value, value: writtenTimestamp(value.value) } : value;
  }) as object;
}

/** Whether a part of a body compares the least or greatest of a timestamp; its value is a decimal of Unix seconds. */
function isTimeComparison(part: unknown, specs: AttributeSpecs): part is { readonly value: string } {
  if (typeof part !== 'object' || part === null) return false;
  const { min, max, attribute, value } = part as Readonly<Record<string, unknown>>;
  const event = ((min ?? max) as Filter | null | undefined)?.event;
  if (typeof event !== 'string' || typeof attribute !== 'string' || typeof value !== 'string') return false;
  return attributeTypeOf(specs, event, attribute) === 'timestamp';
}

function versionReply(definition: Definition): VersionReply {
  return {
    version: definition.version,
    state: definition.state,
    name: definition.name,
    generation: definition.generation,
    in_force_from: timeOf(definition.inForceFrom ?? legacyInForceFrom(definition)),
    recount: definition.recount,
    created_by: definition.createdBy,
    created_at: definition.createdAt.toISOString(),
    published_by: definition.publishedBy,
    published_at: iso(definition.publishedAt),
    ended_at: iso(definition.endedAt),
  };
}

/** Of versions of the release before, which have no instant of their own. */
function legacyInForceFrom({ countsFrom }: Definition): number | undefined {
  return countsFrom === null ? undefined : Math.floor(countsFrom.getTime() / 1000);
}

/** Of Unix seconds, or of a body that cannot be read and has its times as they are stored; null where that is no time. */
function timeOf(time: unknown): string | null {
  if (typeof time === 'string') return Number.isNaN(Date.parse(time)) ? null : new Date(time).toISOString();
  return typeof time === 'number' ? isoOf(time) : null;
}

function isoOf(unixS: number): string {
  return new Date(unixS * 1000).toISOString();
}

function iso(date: Date | null): string | null {
  return date === null ? null : date.toISOString();
}
