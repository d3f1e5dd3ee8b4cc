import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Asks until there is an answer, as the asker does while servers are away. Rejects with the last error when there is none for
 * `timeoutMs`.
 */
export async function keepAsking<T>(what: string, timeoutMs: number, ask: () => Promise<T>): Promise<T> {
  for (const endMs = performance.now() + timeoutMs; ; await sleep(pauseMs))
    try {
      return await ask();
    } catch (error) {
      if (performance.now() > endMs)
        throw new Error(`${what} failed for ${timeoutMs / 1000} s: ${(error as Error).message}`, { cause: error });
    }
}

const pauseMs = 200;
