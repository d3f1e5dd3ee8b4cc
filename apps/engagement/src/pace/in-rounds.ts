import { LivePace } from './live-pace';
import { RoundSize } from './round-size';

/** One run of background work for at most so many users; returns their number. */
type Round = (limit: number) => Promise<number>;

/** The same, which does not begin once the signal is aborted. */
type AbortableRound = (limit: number, signal?: AbortSignal) => Promise<number>;

/**
 * The same work in rounds that are sized by their time, each a turn of the instance's background work. `waitedS` tells how long
 * users have waited, where they may not wait for long.
 */
export function inRounds(pace: LivePace, round: Round, waitedS?: () => number): AbortableRound {
  const size = new RoundSize();
  return (limit, signal) =>
    pace.turn(
      async () => {
        const startedAt = performance.now();
        const most = Math.min(limit, size.users);
        try {
          const users = await round(most);
          if (users > 0) size.took(users, performance.now() - startedAt);
          return users;
        } catch (error) {
          // The limit of the task, which is halved too, may be far above the size.
          size.failed(most);
          throw error;
        }
      },
      { waitedS, signal },
    );
}
