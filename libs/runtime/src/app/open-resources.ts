import { setImmediate, setTimeout as sleep } from 'node:timers/promises';

/** How many resources of each type keep this process from ending, as `process.getActiveResourcesInfo()` names them. */
export type OpenResources = ReadonlyMap<string, number>;

/** What keeps this process from ending now. */
export function openResources(): OpenResources {
  const counts = new Map<string, number>();
  for (const type of process.getActiveResourcesInfo()) counts.set(type, (counts.get(type) ?? 0) + 1);
  return counts;
}

/**
 * What is open all the time that `forMs` lasts: of each type the least that was seen. Timers that come and go, as those by
 * which jest's reporter draws its progress, must not hide one that stays.
 */
export async function lastingResources(forMs: number): Promise<OpenResources> {
  const end = Date.now() + forMs;
  let least = openResources();
  while (Date.now() < end) {
    await pause();
    const now = openResources();
    least = new Map([...least].map(([type, count]) => [type, Math.min(count, now.get(type) ?? 0)]));
  }
  return least;
}

/**
 * Waits until nothing is open beside what was open before, at most `graceMs`; returns what still is, which may be nothing.
 * What closes needs some turns of the event loop, so that one look would not do.
 */
export async function leftOpen(before: OpenResources, graceMs: number): Promise<OpenResources> {
  const end = Date.now() + graceMs;
  for (;;) {
    const added = addedTo(before);
    if (added.size === 0 || Date.now() > end) return added;
    await pause();
  }
}

function addedTo(before: OpenResources): OpenResources {
  const added = new Map<string, number>();
  for (const [type, count] of openResources()) {
    const more = count - (before.get(type) ?? 0);
    if (more > 0) added.set(type, more);
  }
  return added;
}

async function pause(): Promise<void> {
  await sleep(20);
  // The timer of this pause is gone only in the next turn.
  await setImmediate();
}
