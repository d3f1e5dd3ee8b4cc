import { BatchPlace, movePosition } from '@podium/runtime/consumers';
import { failureKindOf, inTransaction } from '@podium/runtime/postgres';
import { ApplyParts } from '../applying/apply-parts';
import { settleMatters } from '../applying/matters';
import { Matter, Settlement, postpone } from '../applying/settle';
import { holdEpochAlone } from '../definitions/epoch.store';
import { positionsTable } from '../inbox/positions-table';
import { LinkChanges } from './link-changes';
import { storeLinks } from './store-links';

/**
 * Stores changes of links in the view and evaluates the definitions for the users concerned, in one transaction with the position:
 * an unlinked user leaves them, a relinked user enters those whose condition holds. Where a definition needs events and the user
 * has none of them, `settle` has nothing to evaluate. Older revisions may only add a link period; links from before their user's
 * erasure change nothing in any order of arrival. Users who are being erased are unlinked until their own erasure arrives.
 *
 * A change whose evaluation fails by itself is stored without it: the definitions are due, which sets aside a user for whom they
 * cannot be evaluated. So neither the change is lost nor the partition waits for that user.
 */
export async function applyLinks(parts: ApplyParts, batch: LinkChanges & BatchPlace): Promise<Settlement> {
  try {
    return await storeAndSettle(parts, batch, false);
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    if (batch.links.length + batch.erased.length > 1 || failureKindOf(error.cause) === 'outage') throw error.cause;
    return storeAndSettle(parts, batch, true);
  }
}

/** Tells a failed evaluation from a change that cannot be stored. */
class EvaluationError extends Error {
  override readonly name = 'EvaluationError';
  /** For `inTransaction`, which repeats what another transaction has disturbed. */
  readonly code: unknown;

  constructor(cause: unknown) {
    super('the definitions of users whose links changed cannot be evaluated', { cause });
    this.code = (cause as { code?: unknown } | null)?.code;
  }
}

async function storeAndSettle(
  parts: ApplyParts,
  batch: LinkChanges & BatchPlace,
  isPostponed: boolean,
): Promise<Settlement> {
  return inTransaction(parts.pool, async (tx) => {
    // A concurrent batch of another partition may carry an older record of the account: it must see the erasure.
    if (batch.erased.length > 0) await holdEpochAlone(tx);
    const definitions = await parts.definitions.current(tx);
    await parts.erasureGate?.check(tx);
    await movePosition(tx, positionsTable, batch);
    const { users } = await storeLinks(tx, batch, Math.floor(parts.now() / 1000));
    const matters = users.flatMap((user) =>
      definitions.ofPlatform(user.platform).map((definition): Matter => ({ user, definition, reason: 'link' })),
    );
    if (isPostponed) return postpone(tx, matters, parts.now());
    return settleMatters(tx, matters, {
      ...{ definitions, nowMs: parts.now(), linksPassedS: parts.linkProgress?.passedS() },
      isDivisible: batch.links.length > 1,
    }).catch((error: unknown) => {
      throw new EvaluationError(error);
    });
  });
}
