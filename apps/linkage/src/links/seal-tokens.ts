import { TokenSet } from '@podium/partner-check/protocol/partner-result';
import { secretLocations } from '../vault/secret-locations';
import { Vault } from '../vault/vault';
import { NewTokens } from './token.store';

/** Shorter lifetimes would keep the background busy with a few links; users' requests refresh when they are over, seconds. */
const backgroundMinS = 30;

/** Longer lifetimes have the margin of this one, seconds. */
const marginOfS = 2000;

/**
 * Seals a partner's tokens for their link's row. A refresh is due 5 to 15 % before the end of the lifetime, of a long one 100 to
 * 300 s, at random, so that links made together do not all refresh at once. `assumedLifetimeS` is the lifetime when the partner
 * does not say, from its profile.
 */
export function sealTokens(vault: Vault, linkId: string, tokens: TokenSet, assumedLifetimeS: number): NewTokens {
  const lifetimeS = tokens.expiresInS ?? assumedLifetimeS;
  const margin = 0.05 + Math.random() * 0.1;
  const dueAfterS = (seconds: number): number => seconds - Math.min(seconds, marginOfS) * margin;
  return {
    accessTokenEnc: vault.seal(tokens.accessToken, secretLocations.accessToken(linkId)),
    refreshTokenEnc:
      tokens.refreshToken === null ? null : vault.seal(tokens.refreshToken, secretLocations.refreshToken(linkId)),
    dueInS: dueAfterS(lifetimeS),
    refreshInS: dueAfterS(Math.max(lifetimeS, backgroundMinS)),
  };
}
