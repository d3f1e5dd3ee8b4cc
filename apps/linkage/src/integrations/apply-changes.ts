import { CodedError } from '@podium/messages';
import { Vault } from '../vault/vault';
import { applySecrets } from './apply-secrets';
import { PartnerProfileInput, UpdateIntegrationDto } from './integration.dto';
import { Integration, PartnerProfile } from '../entities/integration.entity';
import { checkPartnerAddress } from './entered-address';
import { AddressAllowList, originOf } from '../partner-client/partner-address-rules';

/** A partner that follows the specification exactly. */
export const defaultProfile: PartnerProfile = {
  scope: null,
  client_auth: 'basic_raw',
  client_id_in_body: false,
  pkce: true,
  access_token_lifetime_s: 3600,
  timeout_ms: 5000,
  revocation_path: null,
  redirect_base: null,
  issuer: null,
};

/** The profile with the given fields replaced. */
export function mergedProfile(profile: PartnerProfile, given: PartnerProfileInput | undefined): PartnerProfile {
  const fields = Object.entries(given ?? {}).filter(([, value]) => value !== undefined);
  return { ...profile, ...(Object.fromEntries(fields) as Partial<PartnerProfile>) };
}

/**
 * Changes the integration in place and returns what changed, for the audit; secrets without their values. An operator who
 * sets another origin must enter the client secret again: the stored one is never sent to a new server.
 */
export function applyChanges(
  integration: Integration,
  dto: UpdateIntegrationDto,
  parts: {
    readonly vault: Vault;
    readonly allowList: AddressAllowList;
    readonly publicUrls: readonly string[];
    /** Whether the current client secret is the one of both that the partner accepted last. */
    readonly acceptsCurrent: boolean;
  },
): Record<string, unknown> {
  const before = publicFields(integration);
  const origins = originsOf(integration);
  const { allowList } = parts;
  integration.displayName = dto.display_name ?? integration.displayName;
  integration.clientId = dto.client_id ?? integration.clientId;
  integration.ratePerSecond = dto.rate_per_second ?? integration.ratePerSecond;
  if (dto.authorization_url !== undefined)
    integration.authorizationUrl = checkPartnerAddress('authorization_url', dto.authorization_url, allowList);
  if (dto.base_url !== undefined) integration.baseUrl = checkPartnerAddress('base_url', dto.base_url, allowList);
  integration.profile = mergedProfile(integration.profile, dto.profile);
  checkClientId(integration.clientId, integration.profile);
  checkRedirectBase(dto.profile?.redirect_base, parts.publicUrls);
  const movedFields = (['base_url', 'authorization_url'] as const).filter(
    (field) => originsOf(integration)[field] !== origins[field],
  );
  if (movedFields.length > 0 && dto.client_secret === undefined)
    throw new CodedError('invalid_request', {
      message: `client_secret: is required to change the origin of ${movedFields.join(' and ')}; the stored one is not sent there`,
    });
  const secretForOrigin = movedFields.includes('base_url') ? dto.client_secret : undefined;
  if (secretForOrigin !== undefined) integration.originVersion++;
  return {
    ...differences(before, publicFields(integration)),
    ...applySecrets(integration, dto, { ...parts, secretForOrigin }),
  };
}

/** RFC 7617, section 2: the first colon of raw Basic credentials ends the id. Throws `invalid_request`. */
export function checkClientId(clientId: string, profile: PartnerProfile): void {
  if (profile.client_auth === 'basic_raw' && clientId.includes(':'))
    throw new CodedError('invalid_request', {
      message:
        'client_id: must not have a colon with client_auth basic_raw; use basic_form_encoded if the partner does',
    });
}

/** Throws `invalid_request` for a redirect base that is no address of this deployment. */
export function checkRedirectBase(given: string | null | undefined, publicUrls: readonly string[]): void {
  if (given === undefined || given === null || publicUrls.includes(given)) return;
  throw new CodedError('invalid_request', {
    message: `profile.redirect_base: must be an address of this deployment: ${publicUrls.join(', ')}`,
  });
}

function originsOf({
  baseUrl,
  authorizationUrl,
}: Integration): Record<'base_url' | 'authorization_url', string | null> {
  return { base_url: originOf(baseUrl), authorization_url: originOf(authorizationUrl) };
}

function publicFields(integration: Integration): Record<string, unknown> {
  return {
    display_name: integration.displayName,
    authorization_url: integration.authorizationUrl,
    base_url: integration.baseUrl,
    client_id: integration.clientId,
    rate_per_second: integration.ratePerSecond,
    ...integration.profile,
  };
}

function differences(before: Record<string, unknown>, after: Record<string, unknown>): Record<string, unknown> {
  const changed = Object.keys(after).filter((name) => before[name] !== after[name]);
  return Object.fromEntries(changed.map((name) => [name, { from: before[name], to: after[name] }]));
}
