import { authorizationRequestUrl } from '@podium/partner-check/protocol/authorization-request';
import { PartnerIntegration } from './partner-integration.store';

export { randomSecret, secretHash } from '@podium/partner-check/protocol/authorization-request';

/** The URL of the partner's authorization page for one flow. */
export function authorizationUrl(
  { authorizationUrl: page, connection }: PartnerIntegration,
  flow: { redirectUri: string; state: string; codeVerifier: string | null },
): string {
  return authorizationRequestUrl(page, { ...flow, clientId: connection.clientId, scope: connection.profile.scope });
}
