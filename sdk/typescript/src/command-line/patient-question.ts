import { PodiumError } from '../errors/podium-error';
import { retryDelayMs } from '../sending/backoff';
import type { Clock } from '../pacing/clock';

/** How long a question is repeated. */
export interface Patience {
  readonly clock: Clock;
  /** From the first failure on, ms. */
  readonly patienceMs: number;
  /** Called before each wait. */
  readonly onWait: (error: PodiumError, waitMs: number) => void;
}

/** Repeats a question while Podium or the network fails for the moment; throws the last PodiumError otherwise. */
export async function askPatiently<T>(question: () => Promise<T>, patience: Patience): Promise<T> {
  const { clock, patienceMs, onWait } = patience;
  const untilMs = clock.nowMs() + patienceMs;
  for (let attempt = 0; ; attempt++) {
    try {
      return await question();
    } catch (error) {
      if (!(error instanceof PodiumError) || error.retry !== 'now') throw error;
      const waitMs = retryDelayMs(attempt, error.retryAfterMs, Math.random);
      if (clock.nowMs() + waitMs > untilMs) throw error;
      onWait(error, waitMs);
      await clock.sleep(waitMs);
    }
  }
}
