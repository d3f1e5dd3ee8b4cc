import { setTimeout as sleep } from 'node:timers/promises';
import { Queryable } from '@podium/runtime/postgres';
import { readTokens } from './token.store';
import { secretLocations } from '../vault/secret-locations';
import { Vault } from '../vault/vault';
import { NeedsReauth } from './needs-reauth';
import { TokenRefresher } from './token-refresher';

/** An access token for a link's partner, or the reason why there is none. */
export type AccessToken =
  | { readonly ok: true; readonly accessToken: string; readonly version: number; readonly originVersion: number }
  | { readonly ok: false; readonly reason: 'not_linked' | 'needs_reauth' | 'unavailable' };

const waitForOthersMs = 20_000;

/** Access tokens of links, refreshed when due or refused. */
export class AccessTokens {
  constructor(
    private readonly db: Queryable,
    private readonly vault: Vault,
    private readonly refresher: TokenRefresher,
    private readonly needsReauth: NeedsReauth,
  ) {}

  /** A token to use now; `refused` is one that the partner has just refused with 401, so another is needed. */
  async accessTokenFor(linkId: string, refused?: string): Promise<AccessToken> {
    const untilMs = Date.now() + waitForOthersMs;
    for (;;) {
      const stored = await readTokens(this.db, linkId);
      if (!stored || stored.state === 'unlinked') return { ok: false, reason: 'not_linked' };
      if (stored.state === 'needs_reauth') return { ok: false, reason: 'needs_reauth' };
      if (stored.moved) {
        await this.needsReauth.mark(linkId, 'partner_moved', { version: stored.version });
        return { ok: false, reason: 'needs_reauth' };
      }
      const accessToken = this.vault.open(stored.accessTokenEnc, secretLocations.accessToken(linkId));
      // Without a refresh token only the partner's 401 shows that it expired: the lifetime is an assumption.
      const usable = refused === undefined ? !stored.due || stored.refreshTokenEnc === null : accessToken !== refused;
      const { version, originVersion } = stored;
      if (usable) return { ok: true, accessToken, version, originVersion };
      const refreshed = await this.refresher.refresh(stored);
      if (refreshed === 'needs_reauth' || refreshed === 'unavailable') return { ok: false, reason: refreshed };
      if (refreshed === 'held' && Date.now() > untilMs) return { ok: false, reason: 'unavailable' };
      if (refreshed === 'held') await sleep(40 + Math.random() * 40);
    }
  }
}
