import type { DefinitionVersion, TaskDefinition } from '../../src/evaluation/definition';
import type { HistoryEvent, LinkPeriod } from '../../src/evaluation/history';
import type { World } from './world';

/** Whether an event was received later than the horizon after it happened. */
export function isLate(world: World, event: HistoryEvent): boolean {
  return event.receivedAt - event.createdAt > world.horizonS;
}

/** The first second that sees an event: a late one at its receipt, any other when it happened (reading 1). */
export function effectiveAt(world: World, event: HistoryEvent): number {
  return isLate(world, event) ? event.receivedAt : event.createdAt;
}

/** The events that a second sees. */
export function seenAt(world: World, atS: number): HistoryEvent[] {
  return world.events.filter((event) => effectiveAt(world, event) <= atS);
}

/** Events in the order of (created_at, id in byte order). */
export function inOrder(events: readonly HistoryEvent[]): HistoryEvent[] {
  return [...events].sort((a, b) => a.createdAt - b.createdAt || Buffer.compare(Buffer.from(a.id), Buffer.from(b.id)));
}

/** The link of an instant: the one begun last at or before it, ended or not (reading 6). */
export function linkOf(world: World, atS: number): LinkPeriod | undefined {
  return begunLast(world.links.filter((link) => link.linkedAt <= atS));
}

/** The link that is in force at an instant: begun and not ended. */
export function linkInForce(world: World, atS: number): LinkPeriod | undefined {
  return begunLast(
    world.links.filter((link) => link.linkedAt <= atS && (link.unlinkedAt === null || atS < link.unlinkedAt)),
  );
}

function begunLast(links: readonly LinkPeriod[]): LinkPeriod | undefined {
  return [...links].sort((a, b) => a.linkedAt - b.linkedAt).at(-1);
}

/** The version in force at an instant; the first one covers all that was before it. */
export function versionInForce<Body>(
  versions: readonly DefinitionVersion<Body>[],
  atS: number,
): DefinitionVersion<Body> {
  return versions.filter((version) => version.inForceFrom <= atS).at(-1) ?? versions[0];
}

/** The dates of a task's version, half-open. */
export function datesOf(
  task: TaskDefinition,
  version: TaskDefinition['versions'][number],
): { from: number; to: number } {
  const { starts_at, ends_at } = version.body;
  return { from: starts_at ?? task.versions[0].inForceFrom, to: ends_at ?? Infinity };
}

/** When a version's generation began; the first one, and one that was published with a recount, cover all that was before. */
export function generationStart(task: TaskDefinition, version: TaskDefinition['versions'][number]): number {
  if (version.generation === task.versions[0].generation) return -Infinity;
  const [first] = task.versions
    .filter((v) => v.generation === version.generation)
    .sort((a, b) => a.inForceFrom - b.inForceFrom);
  return first.recount === true ? -Infinity : first.inForceFrom;
}

/** From when a task's version counts for its task window: its dates, cut at its generation. */
export function taskWindowStart(task: TaskDefinition, version: TaskDefinition['versions'][number]): number {
  return Math.max(datesOf(task, version).from, generationStart(task, version));
}
