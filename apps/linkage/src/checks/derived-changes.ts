import type { CheckReport } from '@podium/partner-check';
import { PartnerProfileInput, UpdateIntegrationDto } from '../integrations/integration.dto';

/** The bounds of `access_token_lifetime_s` in a profile, seconds. */
const lifetimeS = { min: 30, max: 31_536_000 };

/** The changes of an integration that a report's profile asks for: only what was observed. */
export function derivedChanges(
  { profile, base_url: baseUrl }: Pick<CheckReport, 'profile' | 'base_url'>,
  integration: { readonly authorizationUrl: string },
): UpdateIntegrationDto {
  const input: PartnerProfileInput = {};
  if (profile.client_auth.observed) input.client_auth = profile.client_auth.value;
  if (profile.client_id_in_body.observed) input.client_id_in_body = profile.client_id_in_body.value;
  if (profile.pkce.observed) input.pkce = profile.pkce.value;
  if (profile.scope.observed) input.scope = profile.scope.value;
  const { access_token_lifetime_s: lifetime, revocation_url: revocation, prompt_consent: prompt } = profile;
  if (lifetime.observed)
    input.access_token_lifetime_s = Math.min(Math.max(lifetime.value, lifetimeS.min), lifetimeS.max);
  const path = revocation.observed ? revocation.value.slice(baseUrl.length) : '';
  if (/^\/[A-Za-z0-9._~/-]{1,255}$/.test(path)) input.revocation_path = path;
  const needsPrompt = prompt.observed && prompt.value;
  return { profile: input, ...(needsPrompt ? { authorization_url: withPrompt(integration.authorizationUrl) } : {}) };
}

function withPrompt(authorizationUrl: string): string {
  const url = new URL(authorizationUrl);
  url.searchParams.set('prompt', 'consent');
  return url.href;
}
