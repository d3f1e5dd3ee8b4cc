import { SegmentBody, TaskBody } from '../evaluation/definition';
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
  return { ...versionReply(definition), condition: withShownTimes(condition), zone };
}

function taskVersion(definition: Definition): TaskVersionReply {
  const body = definition.body as TaskBody;
  return {
    ...versionReply(definition),
    goal: withShownTimes(body.goal),
    repeat: body.repeat,
    zone: body.zone,
    max_per_user: body.max_per_user ?? null,
    eligible: body.eligible ?? null,
    starts_at: shownTime(body.starts_at),
    ends_at: shownTime(body.ends_at),
    reward: withShownTimes(body.reward),
    budget: body.budget ?? null,
    claw_back: body.claw_back,
    max_per_event: body.max_per_event,
    max_per_day: body.max_per_day ?? null,
    pauses_above: definition.maxPerDay,
    paused_by_engine: definition.pausedBecause,
  };
}

/** A copy in which the bounds of windows are ISO 8601 times, as operators write them. */
function withShownTimes(part: object): object {
  return JSON.parse(JSON.stringify(part), (field, value: unknown) =>
    field === 'between' ? (value as number[]).map(shownTime) : value,
  ) as object;
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

function shownTime(seconds: number | undefined): string | null {
  return seconds === undefined ? null : new Date(seconds * 1000).toISOString();
}

function iso(date: Date | null): string | null {
  return date === null ? null : date.toISOString();
}
