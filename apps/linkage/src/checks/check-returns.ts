import { secretHash } from '@podium/partner-check/protocol/authorization-request';
import type { Logger } from '@podium/runtime/log';
import { Queryable } from '@podium/runtime/postgres';
import { secretLocations } from '../vault/secret-locations';
import { Vault } from '../vault/vault';
import { findWaitingCheck, putReturn } from './partner-check.store';

const searchLengthMax = 16_384;

/** Redirects that belong to a check of the partner's server and to no user. */
export class CheckReturns {
  constructor(
    private readonly db: Queryable,
    private readonly vault: Vault,
    private readonly logger: Logger,
  ) {}

  /**
   * Keeps the redirect for the check that waits for its state. A browser without a flow of its own may also bring a redirect with
   * another state or none, which is a mistake that the check looks for; it could not end a flow in any case. Never throws.
   */
  async take(integrationId: string, search: string, browserSecret: string | null): Promise<boolean> {
    if (search.length > searchLengthMax) return false;
    const state = new URLSearchParams(search).get('state') ?? '';
    try {
      const key = { integrationId, stateHash: secretHash(state), anyState: browserSecret === null };
      const checkId = await findWaitingCheck(this.db, key);
      if (checkId === null) return false;
      return await putReturn(this.db, checkId, this.vault.seal(search, secretLocations.checkReturn(checkId)));
    } catch (error) {
      // The redirect may be a user's, whose outcome has a sentence for an unavailable database too.
      this.logger.warn({ err: error }, 'a redirect could not be compared with the checks of partners');
      return false;
    }
  }
}
