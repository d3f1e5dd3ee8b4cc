import { setTimeout as sleep } from 'node:timers/promises';
import { Queryable, isPostgresAway } from '@podium/runtime/postgres';

/** How long a statement is sent again, ms: less than the time after which a partner's check that is not heard of is interrupted. */
const patienceMs = 45_000;
const againMs = 500;

/**
 * Sends a statement again while Postgres is away, as during a failover, until the signal. For statements that do no harm when they
 * run twice: the one before may have taken effect.
 */
export function patientQueries(db: Queryable, signal: AbortSignal): Queryable {
  return {
    query: async (text, values) => {
      for (const endMs = performance.now() + patienceMs; ; await sleep(againMs, undefined, { signal }))
        try {
          return await db.query(text, values);
        } catch (error) {
          if (signal.aborted || !isPostgresAway(error) || performance.now() >= endMs) throw error;
        }
    },
  };
}
