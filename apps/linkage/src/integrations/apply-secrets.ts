import { Integration } from '../entities/integration.entity';
import { secretLocations } from '../vault/secret-locations';
import { Vault } from '../vault/vault';
import { UpdateIntegrationDto } from './integration.dto';

/**
 * Changes the client secrets of the integration in place and returns what changed, without their values. A new secret keeps
 * one of two live ones beside it: the one that the partner accepted last, or the previous one if it accepted neither. The
 * current one was then mistyped, or is not in use yet, and linking would end with the other.
 */
export function applySecrets(
  integration: Integration,
  dto: Pick<UpdateIntegrationDto, 'client_secret' | 'previous_client_secret'>,
  parts: { readonly vault: Vault; readonly acceptsCurrent: boolean; readonly secretForOrigin: string | undefined },
): Record<string, unknown> {
  const { vault } = parts;
  const place = secretLocations.clientSecret(integration.integrationId);
  const changed = replaceSecret(integration, dto.client_secret, parts);
  if (dto.previous_client_secret === null && integration.previousClientSecretEnc !== null) {
    integration.previousClientSecretEnc = null;
    changed.previous_client_secret = 'removed';
  }
  if (typeof dto.previous_client_secret === 'string') {
    integration.previousClientSecretEnc = vault.seal(dto.previous_client_secret, place);
    changed.previous_client_secret = 'set';
  }
  return changed;
}

function replaceSecret(
  integration: Integration,
  given: string | undefined,
  { vault, acceptsCurrent, secretForOrigin }: Parameters<typeof applySecrets>[2],
): Record<string, unknown> {
  if (given === undefined) return {};
  const place = secretLocations.clientSecret(integration.integrationId);
  const { clientSecretEnc: current, previousClientSecretEnc: previous } = integration;
  const replaced = (client_secret: string, keptEnc: string | null): Record<string, unknown> => {
    integration.clientSecretEnc = vault.seal(given, place);
    integration.previousClientSecretEnc = keptEnc;
    return { client_secret };
  };
  if (secretForOrigin !== undefined) return replaced('entered again for the new origin', null);
  // A restore brings integrations back without their secrets.
  if (current === '') return replaced('entered again after a restore', null);
  if (vault.open(current, place) === given) return {};
  if (previous === null) return replaced('replaced; the former one stays valid for the rotation', current);
  if (vault.open(previous, place) === given)
    return replaced('exchanged with the previous one; both stay valid for the rotation', current);
  if (acceptsCurrent)
    return replaced('replaced; the former one, which the partner accepted last, stays valid for the rotation', current);
  return replaced(
    'replaced; the partner did not accept the former one last, so the previous one stays valid for the rotation',
    previous,
  );
}
