import { Redis } from '@podium/runtime/redis';
import { Script } from './limiter-scripts';

/** Runs a script by its digest, or by its text if Redis has lost it (a restart or SCRIPT FLUSH). */
export async function runScript(
  redis: Redis,
  script: Script,
  keys: readonly string[],
  args: readonly (string | number)[],
): Promise<unknown> {
  try {
    return await redis.evalsha(script.sha1, keys.length, ...keys, ...args);
  } catch (error) {
    if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
    return redis.eval(script.text, keys.length, ...keys, ...args);
  }
}
