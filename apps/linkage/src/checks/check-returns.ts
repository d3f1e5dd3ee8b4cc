import { secretHash } from '@podium/partner-check/protocol/authorization-request';
import type { Logger } from '@podium/runtime/log';
import { Queryable } from '@podium/runtime/postgres';
import { Deadline } from '../partner-client/deadline';
import { secretLocations } from '../vault/secret-locations';
import { Vault } from '../vault/vault';
import { findWaitingCheck, putReturn } from './partner-check.store';

const searchLengthMax = 16_384;
/** With the time in which a flow of a user is finished, this is still below the gateway's timeout. */
const lookUpWithinMs = 2000;

/** Whose a redirect is: a check's, which has it now; a check's, but from another browser than its own; or none's of a check. */
export type CheckReturn = 'taken' | 'other_browser' | 'not_of_a_check';

/** Redirects that belong to a check of the partner's server and to no user. */
export class CheckReturns {
  constructor(
    private readonly db: Queryable,
    private readonly vault: Vault,
    private readonly logger: Logger,
  ) {}

  /**
   * Keeps the redirect for the check whose log-in this browser has opened; no other browser changes anything, whatever it knows.
   * A redirect with another state or none is taken too, unless it may be that of a flow of a user in the same browser: it is a
   * mistake that the check looks for. Never throws, and answers within two seconds: every redirect of a user passes here.
   */
  async take(integrationId: string, search: string, browserSecret: string | null): Promise<CheckReturn> {
    if (search.length > searchLengthMax) return 'not_of_a_check';
    const deadline = Deadline.within(lookUpWithinMs);
    const state = new URLSearchParams(search).get('state') ?? '';
    const browserHash = browserSecret === null ? null : secretHash(browserSecret);
    const redirect = { integrationId, search, stateHash: secretHash(state), browserHash };
    const taken = await deadline.orLate(this.compare(redirect, deadline));
    if (taken !== 'late') return taken;
    this.logger.warn('a redirect could not be compared with the checks of partners in time');
    return 'not_of_a_check';
  }

  private async compare(redirect: Redirect, deadline: Deadline): Promise<CheckReturn> {
    const { search, browserHash } = redirect;
    try {
      const check = await findWaitingCheck(this.db, redirect);
      // It belongs to the flows of users by then, and one that was in this browser may have ended.
      if (check === null || deadline.leftMs() === 0) return 'not_of_a_check';
      if (browserHash === null || !check.isOfBrowser) return check.hasState ? 'other_browser' : 'not_of_a_check';
      if (!check.hasState && check.browserHasFlow) return 'not_of_a_check';
      const { checkId } = check;
      const returnEnc = this.vault.seal(search, secretLocations.checkReturn(checkId));
      return (await putReturn(this.db, { checkId, browserHash, returnEnc })) ? 'taken' : 'not_of_a_check';
    } catch (error) {
      // The redirect may be a user's, whose outcome has a sentence for an unavailable database too.
      this.logger.warn({ err: error }, 'a redirect could not be compared with the checks of partners');
      return 'not_of_a_check';
    }
  }
}

interface Redirect {
  readonly integrationId: string;
  readonly search: string;
  readonly stateHash: Buffer;
  readonly browserHash: Buffer | null;
}
