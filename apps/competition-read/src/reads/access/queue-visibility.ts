import { CodedError } from '@podium/messages';
import type { Caller } from './caller';

/** A queue is visible to developers of its game, and to the organizer that owns it. Throws 403 to other callers. */
export function requireVisibleQueue(
  caller: Caller,
  queue: { readonly game: string; readonly organizerId: string },
): void {
  if (!caller.isDeveloperOf(queue.game) && !caller.organizers.has(queue.organizerId))
    throw new CodedError('forbidden', { message: 'This queue belongs to another organizer.' });
}

/** The organizers whose queues of a game are visible to the caller; null for all. */
export function visibleQueueOrganizers(caller: Caller, game: string): readonly string[] | null {
  return caller.isDeveloperOf(game) ? null : [...caller.organizers];
}
