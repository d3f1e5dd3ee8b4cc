import type { Window } from '../../src/evaluation/condition';
import { rollingLength } from './durations';
import { dayStarts } from './local-calendar';
import type { World } from './world';

/**
 * All seconds up to `nowS`, in order, at which any answer about this world can change: between two of them nothing does.
 * Rather too many than too few: definitions that an answer does not depend on are included.
 */
export function candidateSeconds(world: World, nowS: number): number[] {
  const fixed = [...world.events.flatMap((event) => [event.createdAt, event.receivedAt]), ...boundsOf(world)];
  const firstS = Math.min(...fixed, nowS);
  const zones = new Set(world.definitions.flatMap(({ versions }) => versions.map(({ body }) => body.zone)));
  const days = [...zones].flatMap((zone) => dayStarts(zone, firstS, nowS));
  const seconds = new Set([...fixed, ...days, ...hourWindowEnds(world)]);
  return [...seconds].filter((second) => second <= nowS).sort((a, b) => a - b);
}

/** The seconds that links and definitions name: their bounds. */
export function boundsOf({ links, definitions }: Pick<World, 'links' | 'definitions'>): number[] {
  return [
    ...links.flatMap((link) => [link.linkedAt, link.unlinkedAt]),
    ...definitions.flatMap((definition) => [
      definition.endedAt,
      ...definition.versions.map((version) => version.inForceFrom),
    ]),
    ...definitions.flatMap((definition) =>
      definition.kind === 'task'
        ? definition.versions.flatMap(({ body }) => [body.starts_at ?? null, body.ends_at ?? null])
        : [],
    ),
    ...windowsIn(definitions).flatMap((window) => ('between' in window ? window.between : [])),
  ].filter((second) => second !== null);
}

/** The full hours at which an event, or a link's beginning, leaves a window of hours. */
function hourWindowEnds(world: World): number[] {
  const begins = [...world.events.map((event) => event.createdAt), ...world.links.map((link) => link.linkedAt)];
  const lengths = new Set(
    windowsIn(world.definitions).flatMap((window) => {
      if (!('rolling' in window)) return [];
      const { unit, length } = rollingLength(window.rolling);
      return unit === 'hour' ? [length - 1, length] : [];
    }),
  );
  return [...lengths].flatMap((length) => begins.map((begin) => (Math.floor(begin / 3600) + length) * 3600));
}

/** All windows anywhere inside definitions. */
function windowsIn(value: unknown): Window[] {
  if (typeof value !== 'object' || value === null) return [];
  const inside = Object.values(value).flatMap(windowsIn);
  return 'rolling' in value || 'between' in value ? [value as Window, ...inside] : inside;
}
