import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@podium/runtime/log';
import { Pool, inTransaction, isPostgresAway, queryable } from '@podium/runtime/postgres';
import { lockLink, saveState } from './link.store';
import { RefreshClaim, extendClaim, saveRefreshed } from './refresh-claim.store';
import { endAttempt, isRefreshed } from './refresh-journal.store';
import { NewTokens } from './token.store';

/** The new pair of a refresh, sealed, and its row in the journal. */
export interface RefreshedPair {
  readonly claim: RefreshClaim;
  readonly refreshId: number;
  readonly tokens: NewTokens;
}

const retryMs = 500;

/** A longer outage loses the pair; the refresh is then one whose answer was lost. */
const triedForMs = 10 * 60_000;

/**
 * Stores a new pair and closes its row in the journal. While Postgres is away this is tried again, because the pair is nowhere
 * else: a partner that detects reuse ends the grant of whoever sends the former token again. False when the link or that
 * generation of its tokens is gone.
 */
export async function keepRefreshed(
  { pool, logger }: { readonly pool: Pool; readonly logger: Logger },
  pair: RefreshedPair,
): Promise<boolean> {
  const startedAt = performance.now();
  for (let failures = 0; ; failures++) {
    try {
      return await keepOnce(pool, pair);
    } catch (error) {
      if (!isPostgresAway(error) || performance.now() - startedAt > triedForMs) throw error;
      if (failures === 0)
        logger.warn(
          { err: error, link_id: pair.claim.linkId },
          'refreshed tokens cannot be stored while Postgres is away; they are kept in memory',
        );
      // While Postgres answers and its outbox is closed, nobody takes the refresh over.
      await extendClaim(queryable(pool), pair.claim).catch(() => false);
      await sleep(retryMs);
    }
  }
}

function keepOnce(pool: Pool, { claim, refreshId, tokens }: RefreshedPair): Promise<boolean> {
  return inTransaction(pool, async (tx) => {
    const link = await lockLink(tx, claim.linkId);
    if (!link) return false;
    // A commit may have taken effect although its response was lost.
    if (!(await saveRefreshed(tx, claim, tokens))) return isRefreshed(tx, refreshId);
    await endAttempt(tx, refreshId, 'refreshed');
    if (link.state === 'refreshing') await saveState(tx, link, 'ready');
    return true;
  });
}
