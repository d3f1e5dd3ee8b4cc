import { Filter } from '../evaluation/condition';
import { AttributeSpecs, SegmentBody, TaskBody } from '../evaluation/definition';
import { attributeSpecs } from './attribute-specs';
import { attributeTypeOf } from './canonical-condition';
import { writtenTimestamp } from './canonical-value';
import { VersionReply } from './definition.dto';
import { Definition } from './definition.entity';
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
  const live = versions.find(({ state }) => state === 'published' || state === 'paused');
  const ended = versions.find(({ state }) => state === 'ended');
  return live ?? ended ?? versions[versions.length - 1];
}

function segmentVersion(definition: Definition): SegmentVersionReply {
  const { condition, zone } = definition.body as SegmentBody;
  return { ...versionReply(definition), condition: withShownTimes(condition, definition), zone: shownZone(zone) };
}

function taskVersion(definition: Definition): TaskVersionReply {
  const body = definition.body as TaskBody;
  return {
    ...versionReply(definition),
    goal: withShownTimes(body.goal, definition),
    repeat: body.repeat,
    zone: shownZone(body.zone),
    max_per_user: body.max_per_user ?? null,
    eligible: body.eligible ?? null,
    starts_at: shownTime(body.starts_at),
    ends_at: shownTime(body.ends_at),
    reward: withShownTimes(body.reward, definition),
    budget: body.budget ?? null,
    claw_back: body.claw_back,
    max_per_event: body.max_per_event,
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
    if (field === 'between' && Array.isArray(value)) return value.map(shownTime);
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
    in_force_from: shownTime(definition.inForceFrom ?? legacyInForceFrom(definition)),
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

/** Of Unix seconds; a body that cannot be read has its times as they are stored. */
function shownTime(time: unknown): string | null {
  if (typeof time === 'number') return new Date(time * 1000).toISOString();
  return typeof time === 'string' ? time : null;
}

/** A body that cannot be read may have none. */
function shownZone(zone: string | undefined): string {
  return zone ?? 'UTC';
}

function iso(date: Date | null): string | null {
  return date === null ? null : date.toISOString();
}
