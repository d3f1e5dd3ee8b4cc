import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from 'pino';
import { errorMessage } from '../../errors';

/** Thrown by an attempt that must not be retried, for example for topics with other partition counts than the table's. */
export class NotRetriableError extends Error {}

/** Runs `action` until it succeeds, with waits of 200 ms up to 2 s; logs each failure. Rejects when `signal` aborts. */
export async function keepTrying<T>(
  what: string,
  action: () => Promise<T>,
  { logger, signal }: { logger: Logger; signal: AbortSignal },
): Promise<T> {
  for (let waitMs = 200; ; waitMs = Math.min(waitMs * 2, 2_000)) {
    signal.throwIfAborted();
    try {
      return await action();
    } catch (error) {
      if (error instanceof NotRetriableError) throw error;
      logger.warn({ cause: errorMessage(error) }, `${what}: retrying`);
      await sleep(waitMs, undefined, { signal });
    }
  }
}
