import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@podium/runtime/log';
import { Pool, Queryable, failureKindOf, inTransaction, queryable } from '@podium/runtime/postgres';
import { Deadline } from '../partner-client/deadline';
import { Link } from './link';
import { isLinked } from './linked-accounts.store';
import { lockLink, saveState } from './link.store';
import { RefreshClaim, extendClaim, saveRefreshed } from './refresh-claim.store';
import { PartnerIntegration } from './partner-integration.store';
import { endAttempt, readAttempt } from './refresh-journal.store';
import { queueUnstored } from './revocation.store';
import { NewTokens } from './token.store';

/** The new pair of a refresh, sealed, and its row in the journal. */
export interface RefreshedPair {
  readonly claim: RefreshClaim;
  readonly refreshId: number;
  readonly tokens: NewTokens;
  /** The partner that issued it. */
  readonly partner: Pick<PartnerIntegration, 'integrationId' | 'originVersion'>;
}

/** What became of a new pair. */
export type KeptPair = 'stored' | 'to_be_revoked' | 'dropped';

const retryMs = 500;

/** A try may be on a connection that leads nowhere, which is closed much later: after this time another one is made beside it. */
const patienceMs = 3_000;

/** A Postgres that is only slow keeps connections of the pool for other work. */
const triesAtOnce = 3;

/** A longer outage loses the pair; the refresh is then one whose answer was lost. */
const triedForMs = 10 * 60_000;

/**
 * Stores a new pair and closes its row in the journal. While Postgres fails, in whatever way, this is tried again, because the
 * pair is nowhere else: a partner that detects reuse ends the grant of whoever sends the former token again. Others do not send
 * it as long as a try reaches Postgres within the time that `claimRefresh` leaves after the lease. A pair whose link or generation
 * of tokens is gone is not stored; that of a link that has ended is revoked at the partner, where it would stay valid.
 */
export async function keepRefreshed(
  { pool, logger }: { readonly pool: Pool; readonly logger: Logger },
  pair: RefreshedPair,
): Promise<KeptPair> {
  const startedAt = performance.now();
  const tries = new Set<Promise<KeptPair>>();
  for (let failures = 0; ; failures++) {
    if (tries.size < triesAtOnce) addTry(tries, keepOnce(pool, pair));
    const kept = await firstOf(tries);
    if (typeof kept === 'string') return kept;
    if (failureKindOf(kept.error) === 'data' || performance.now() - startedAt > triedForMs) throw kept.error;
    if (failures === 0)
      logger.warn(
        { err: kept.error, link_id: pair.claim.linkId },
        'refreshed tokens cannot be stored in Postgres; they are kept in memory and tried again',
      );
    // While Postgres answers and its outbox is closed, nobody takes the refresh over.
    await Deadline.within(patienceMs).orLate(extendClaim(queryable(pool), pair.claim).catch(() => false));
    await sleep(retryMs);
  }
}

/** A try counts until it ends; its failure is that of whoever waits for it, or nobody's. */
function addTry(tries: Set<Promise<KeptPair>>, one: Promise<KeptPair>): void {
  tries.add(one);
  void one.catch(() => undefined).then(() => tries.delete(one));
}

/** The result of the first try that ends, or its failure; after `patienceMs` that Postgres did not respond. */
async function firstOf(tries: ReadonlySet<Promise<KeptPair>>): Promise<KeptPair | { readonly error: unknown }> {
  try {
    const kept = await Deadline.within(patienceMs).orLate(Promise.race(tries));
    return kept === 'late' ? { error: noResponse() } : kept;
  } catch (error) {
    return { error };
  }
}

/** A failure of Postgres. */
function noResponse(): Error {
  return Object.assign(new Error(`Postgres has not responded for ${patienceMs} ms`), { code: 'ETIMEDOUT' });
}

function keepOnce(pool: Pool, pair: RefreshedPair): Promise<KeptPair> {
  const { claim, refreshId, tokens } = pair;
  return inTransaction(pool, async (tx) => {
    const link = await lockLink(tx, claim.linkId);
    const attempt = link && (await readAttempt(tx, refreshId));
    if (link === null || attempt === null) return (await revokeLate(tx, link, pair)) ? 'to_be_revoked' : 'dropped';
    if (await saveRefreshed(tx, claim, tokens)) {
      await endAttempt(tx, refreshId, 'refreshed');
      if (link.state === 'refreshing') await saveState(tx, link, 'ready');
      return 'stored';
    }
    // A commit may have taken effect although its response was lost. Otherwise another instance has refreshed the same grant,
    // or the user has logged in again: the grant in use must not end.
    return attempt === 'refreshed' ? 'stored' : 'dropped';
  });
}

/**
 * Queues a pair that arrived after an unlink or an erasure, which could revoke only the token that the partner has replaced.
 * Twice, after a commit whose response was lost, does no harm. Returns whether it is queued.
 */
async function revokeLate(
  tx: Queryable,
  link: Link | null,
  { claim, partner, tokens }: RefreshedPair,
): Promise<boolean> {
  // The account was linked again, by whichever user. Many servers keep one grant per account and client, and would end it with that
  // of the new link. The same access was allowed again, and nobody has this pair any more.
  if (link !== null && (await isLinked(tx, link))) return false;
  const { accessTokenEnc, refreshTokenEnc } = tokens;
  // The partner has not replaced its refresh token: the one that is queued since the unlink ends the new access token too.
  if (refreshTokenEnc === null) return false;
  const { integrationId, originVersion } = partner;
  return queueUnstored(tx, { linkId: claim.linkId, integrationId, originVersion, accessTokenEnc, refreshTokenEnc });
}
