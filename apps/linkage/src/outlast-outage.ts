import { setTimeout as sleep } from 'node:timers/promises';
import { Queryable, isPostgresAway } from '@podium/runtime/postgres';

const againMs = 500;

/**
 * Does work again while Postgres is away, as during a failover, for at most that time, or until the signal. For work that does no harm
 * when it is done twice: the try before may have taken effect.
 */
export async function outlastOutage<Result>(
  work: () => Promise<Result>,
  { withinMs, signal }: { readonly withinMs: number; readonly signal?: AbortSignal },
): Promise<Result> {
  for (const endMs = performance.now() + withinMs; ; await sleep(againMs, undefined, { signal }))
    try {
      return await work();
    } catch (error) {
      if (signal?.aborted || !isPostgresAway(error) || performance.now() >= endMs) throw error;
    }
}

/** How long a statement is sent again: less than the time after which a partner's check that is not heard of is interrupted. */
const withinMs = 45_000;

/** Sends each statement again while Postgres is away, until the signal. */
export function patientQueries(db: Queryable, signal: AbortSignal): Queryable {
  return { query: (text, values) => outlastOutage(() => db.query(text, values), { withinMs, signal }) };
}
