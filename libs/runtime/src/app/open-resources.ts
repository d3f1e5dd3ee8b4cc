import { setImmediate, setTimeout as sleep } from 'node:timers/promises';

/** Number of resources of each type that keep this process from ending, as `process.getActiveResourcesInfo()` names them. */
export type OpenResources = ReadonlyMap<string, number>;

/** The resources that keep this process from ending. */
export function openResources(): OpenResources {
  const counts = new Map<string, number>();
  for (const type of process.getActiveResourcesInfo()) counts.set(type, (counts.get(type) ?? 0) + 1);
  return counts;
}

/**
 * Resources that stay open for all of `forMs`: the minimum seen of each type. Short-lived timers, such as those of jest's
 * progress reporter, must not hide a resource that stays.
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
 * Waits at most `graceMs` until only the resources that were open before are open; returns those that remain, if any.
 * Closing takes some turns of the event loop, so one check is not enough.
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
  // The timer of this pause disappears only in the next turn.
  await setImmediate();
}
