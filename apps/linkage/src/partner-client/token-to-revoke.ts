import { TokenSet } from '@podium/partner-check/protocol/partner-result';

/** The token whose revocation ends most, with its hint: a refresh token ends its access tokens with it (RFC 7009 2.1). */
export function tokenToRevoke({ accessToken, refreshToken }: TokenSet): [string, 'refresh_token' | 'access_token'] {
  return refreshToken === null ? [accessToken, 'access_token'] : [refreshToken, 'refresh_token'];
}
