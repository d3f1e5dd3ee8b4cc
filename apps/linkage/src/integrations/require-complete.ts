import { CodedError } from '@podium/messages';
import { Integration } from '../entities/integration.entity';

/**
 * Throws `unprocessable`, with the fields, for an integration that a restore brought back without the address, name and secret
 * of the partner's server, which no topic contains.
 */
export function requireComplete(
  integration: Pick<Integration, 'authorizationUrl' | 'baseUrl' | 'clientId' | 'clientSecretEnc'>,
): void {
  const fields = {
    authorization_url: integration.authorizationUrl,
    base_url: integration.baseUrl,
    client_id: integration.clientId,
    client_secret: integration.clientSecretEnc,
  };
  const missing = Object.entries(fields).flatMap(([field, value]) => (value === '' ? [field] : []));
  if (missing.length === 0) return;
  const list = missing.length === 1 ? missing[0] : `${missing.slice(0, -1).join(', ')} and ${missing.at(-1)}`;
  throw new CodedError('unprocessable', {
    message: `Enter ${list} first: the integration was restored without.`,
  });
}
