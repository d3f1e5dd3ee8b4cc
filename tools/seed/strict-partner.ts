import { randomBytes } from 'node:crypto';
import { Admin } from './admin';
import { call } from './api';

const platform = 'strict-games';
const clientId = 'podium';

/** What an integration with the sandbox's strict partner needs, as the sandbox says. */
interface StrictPartner {
  base_url: string;
  authorization_url: string;
  profile: object;
}

interface Integration {
  integration_id: string;
  platform: string;
  onboarding: { test: { redirect_url: string } };
}

/**
 * Makes an integration with the sandbox's second partner, a certified OpenID provider, unless it exists. Users link with it
 * at `/connect`. Null for a sandbox that has none, that of an earlier release.
 */
export async function ensureStrictPartner(
  admin: Admin,
  { sandboxUrl, organizerId }: { sandboxUrl: string; organizerId: string },
): Promise<string | null> {
  const answer = await fetch(`${sandboxUrl}/dev/strict-partner`, { signal: AbortSignal.timeout(20_000) });
  if (answer.status === 404) return null;
  const partner = (await answer.json()) as StrictPartner;
  const known = (await admin.list<Integration>('/integrations')).find((each) => each.platform === platform);
  const clientUrl = `${sandboxUrl}/dev/strict-partner/clients/${clientId}`;
  const isRegistered = (await fetch(clientUrl, { signal: AbortSignal.timeout(20_000) })).ok;
  if (known && isRegistered) return known.integration_id;
  const client = { client_id: clientId, client_secret: randomBytes(24).toString('base64url') };
  const integration = known
    ? await admin.patch<Integration>(`/integrations/${known.integration_id}`, client)
    : await admin.post<Integration>('/integrations', {
        ...{ platform, partner: 'Strict Games', organizer_id: organizerId, display_name: 'Strict Games' },
        ...partner,
        ...client,
      });
  const { redirect_url } = integration.onboarding.test;
  await call('PUT', clientUrl, { body: { client_secret: client.client_secret, redirect_url } });
  return integration.integration_id;
}
