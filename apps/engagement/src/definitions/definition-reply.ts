import { SegmentBody, TaskBody } from '../evaluation/condition';
import { VersionReply } from './definition.dto';
import { Definition } from './definition.entity';
import { SegmentReply, SegmentVersionReply, SegmentWithVersionsReply } from './segment.dto';
import { TaskReply, TaskVersionReply, TaskWithVersionsReply } from './task.dto';

/** A segment by all its versions, oldest first. */
export function segmentWithVersions(versions: readonly Definition[]): SegmentWithVersionsReply {
  return { ...segmentReply(versions), versions: versions.map(segmentVersion) };
}

/** A segment with its version in force, otherwise its newest one. */
export function segmentReply(versions: readonly Definition[]): SegmentReply {
  const shown = shownVersion(versions);
  const { definitionId, platform, organizerId } = shown;
  return { segment_id: definitionId, platform, organizer_id: organizerId, ...segmentVersion(shown) };
}

/** A task by all its versions, oldest first. */
export function taskWithVersions(versions: readonly Definition[]): TaskWithVersionsReply {
  return { ...taskReply(versions), versions: versions.map(taskVersion) };
}

/** A task with its version in force, otherwise its newest one. */
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
  return { ...versionReply(definition), condition: (definition.body as SegmentBody).condition };
}

function taskVersion(definition: Definition): TaskVersionReply {
  const body = definition.body as TaskBody;
  return {
    ...versionReply(definition),
    goal: body.goal,
    repeat: body.repeat,
    max_per_user: body.max_per_user ?? null,
    starts_at: body.starts_at ?? null,
    ends_at: body.ends_at ?? null,
    reward: body.reward,
  };
}

function versionReply(definition: Definition): VersionReply {
  return {
    version: definition.version,
    state: definition.state,
    name: definition.name,
    generation: definition.generation,
    counts_from: iso(definition.countsFrom),
    created_by: definition.createdBy,
    created_at: definition.createdAt.toISOString(),
    published_by: definition.publishedBy,
    published_at: iso(definition.publishedAt),
    ended_at: iso(definition.endedAt),
  };
}

function iso(date: Date | null): string | null {
  return date === null ? null : date.toISOString();
}
