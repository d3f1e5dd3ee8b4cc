import { setTimeout as sleep } from 'node:timers/promises';
import { Queryable } from '@podium/runtime/postgres';
import { readTokens } from './token.store';
import { secretLocations } from '../vault/secret-locations';
import { Vault } from '../vault/vault';
import { NeedsReauth } from './needs-reauth';
import { TokenRefresher } from './token-refresher';

/** An access token with the version of the tokens that it is of; a link that was made again begins at the first version. */
export interface VersionedToken {
  readonly accessToken: string;
  readonly version: number;
}

/** An access token for a link's partner, or the reason why there is none. */
export type AccessToken =
  | ({ readonly ok: true; readonly originVersion: number } & VersionedToken)
  | { readonly ok: false; readonly reason: 'not_linked' | 'needs_reauth' | 'unavailable' };

/** Longer than a claim that was given up waits for its instance. */
const waitForOthersMs = 20_000;

/** Access tokens of links, refreshed when due or refused. */
export class AccessTokens {
  constructor(
    private readonly db: Queryable,
    private readonly vault: Vault,
    private readonly refresher: TokenRefresher,
    private readonly needsReauth: NeedsReauth,
  ) {}

  /**
   * A token to use now; `refused` is one that the partner has just refused with 401, so another is needed. What a refresh has
   * brought is returned as it is: a partner may repeat the token that it refuses, or state a lifetime that is over.
   */
  async accessTokenFor(linkId: string, refused?: VersionedToken): Promise<AccessToken> {
    const untilMs = performance.now() + waitForOthersMs;
    for (let refreshedVersion = refused?.version; ;) {
      const stored = await readTokens(this.db, linkId);
      if (!stored || stored.state === 'unlinked') return { ok: false, reason: 'not_linked' };
      if (stored.state === 'needs_reauth') return { ok: false, reason: 'needs_reauth' };
      if (stored.moved) {
        if (!(await this.needsReauth.mark(linkId, 'partner_moved', { version: stored.version }))) continue;
        return { ok: false, reason: 'needs_reauth' };
      }
      const { version, originVersion } = stored;
      // Without a refresh token only the partner's 401 shows that it expired: the lifetime is an assumption.
      const isCurrent = !stored.due || stored.refreshTokenEnc === null;
      const isReplaced = refreshedVersion !== undefined && version !== refreshedVersion;
      if (isReplaced || isCurrent) {
        const accessToken = this.vault.open(stored.accessTokenEnc, secretLocations.accessToken(linkId));
        if (isReplaced || accessToken !== refused?.accessToken)
          return { ok: true, accessToken, version, originVersion };
      }
      refreshedVersion = version;
      const refreshed = await this.refresher.refresh(stored);
      if (refreshed === 'needs_reauth') return { ok: false, reason: 'needs_reauth' };
      if (refreshed === 'unavailable' || refreshed === 'unreadable') return { ok: false, reason: 'unavailable' };
      if (refreshed === 'held' && performance.now() > untilMs) return { ok: false, reason: 'unavailable' };
      if (refreshed === 'held') await sleep(40 + Math.random() * 40);
    }
  }
}
