import { randomSecret, secretHash } from '@podium/partner-check/protocol/authorization-request';
import { Queryable } from '@podium/runtime/postgres';
import { secretLocations } from '../vault/secret-locations';
import { Vault } from '../vault/vault';
import { bindBrowser } from './partner-check.store';

/** A log-in that a browser has opened. */
export interface OpenedLogIn {
  /** The partner's authorization page, with the parameters of the check. */
  readonly authorizationUrl: string;
  /** For the browser's cookie. */
  readonly browserSecret: string;
}

/** Opens the log-in of a check in the browser of the operator, whose redirect alone is then taken. */
export class OpenCheckLogIn {
  constructor(
    private readonly db: Queryable,
    private readonly vault: Vault,
  ) {}

  /**
   * Binds the log-in to the browser; null when no check waits for it. It can be opened again, also in another browser: whoever
   * has the address may begin, and the browser that began last may return.
   */
  async open(entry: string, knownBrowserSecret: string | null): Promise<OpenedLogIn | null> {
    const browserSecret = knownBrowserSecret ?? randomSecret();
    const bound = await bindBrowser(this.db, {
      entryHash: secretHash(entry),
      browserHash: secretHash(browserSecret),
    });
    if (bound === null) return null;
    const authorizationUrl = this.vault.open(bound.urlEnc, secretLocations.checkLogIn(bound.checkId));
    return { authorizationUrl, browserSecret };
  }
}
