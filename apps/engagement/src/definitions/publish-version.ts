import { isDeepStrictEqual } from 'node:util';
import { CodedError } from '@podium/messages';
import { SegmentBody, TaskBody } from '../evaluation/condition';
import { Definition } from './definition.entity';
import { refused } from './body-problems';

/** Events may be this far in the future, because partners' clocks are; milliseconds. */
const clockLeadMs = 5 * 60 * 1000;

/** The changes that publishing makes to a version. */
export interface Publication {
  readonly generation: number;
  readonly countsFrom: Date;
  readonly state: 'published' | 'paused';
}

/**
 * Decides the generation of a version that is published now: progress carries over when condition, or goal and repeat, are
 * unchanged, otherwise a new generation begins, for which events received from now on count. A paused definition stays paused.
 * Throws `conflict` or `unprocessable` with the reason.
 */
export function publishVersion(version: Definition, others: readonly Definition[], now: Date): Publication {
  const live = others.find(({ state }) => state === 'published' || state === 'paused');
  if (version.state !== 'draft')
    throw new CodedError('conflict', { message: `version ${version.version} is ${version.state}.` });
  if (live && live.version > version.version)
    throw new CodedError('conflict', { message: `version ${live.version} is in force, which is newer.` });
  requireEndAhead(version, now);
  const state = live?.state === 'paused' ? 'paused' : 'published';
  if (live?.generation && live.countsFrom && isSameGeneration(live, version)) {
    requireMovableEnd(live, now);
    return { generation: live.generation, countsFrom: live.countsFrom, state };
  }
  const newest = Math.max(0, ...others.map(({ generation }) => generation ?? 0));
  return { generation: newest + 1, countsFrom: now, state };
}

function isSameGeneration(live: Definition, version: Definition): boolean {
  return isDeepStrictEqual(progressOf(live), progressOf(version));
}

/** The parts of a definition on which progress depends. */
function progressOf({ kind, body }: Definition): unknown {
  return kind === 'segment'
    ? { condition: (body as SegmentBody).condition }
    : { goal: (body as TaskBody).goal, repeat: (body as TaskBody).repeat };
}

function endOf({ kind, body }: Definition): number {
  const end = kind === 'task' ? (body as TaskBody).ends_at : undefined;
  return end === undefined ? Infinity : Date.parse(end);
}

/**
 * The stored state has counted events before the end in force, and none after it. So an end can be moved only while no event
 * at the old or new end can have been counted or left out yet.
 */
function requireMovableEnd(live: Definition, now: Date): void {
  if (endOf(live) <= now.getTime() + clockLeadMs)
    throw new CodedError('conflict', {
      message: 'ends_at: the running version has ended or does so within 5 minutes; create a new task.',
    });
}

function requireEndAhead(version: Definition, now: Date): void {
  if (endOf(version) <= now.getTime() + clockLeadMs) throw refused('ends_at', 'must lie more than 5 minutes ahead');
}
