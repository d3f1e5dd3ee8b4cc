import { Admin } from './admin';
import { call } from './api';
import { Integration, isOnOtherPort, newClient, PartnerAddresses } from './follow-ports';

const platform = 'strict-games';

/** What an integration with the sandbox's strict partner needs, as the sandbox says. */
interface StrictPartner extends PartnerAddresses {
  profile: object;
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
  const hasMoved = known !== undefined && isOnOtherPort(known.base_url, partner.base_url);
  const client = newClient();
  const clientUrl = `${sandboxUrl}/dev/strict-partner/clients/${client.client_id}`;
  const isRegistered = (await fetch(clientUrl, { signal: AbortSignal.timeout(20_000) })).ok;
  if (known && isRegistered && !hasMoved) return known.integration_id;
  const register = ({ onboarding }: Integration): Promise<void> => {
    const { redirect_url } = onboarding.test;
    return call('PUT', clientUrl, { body: { client_secret: client.client_secret, redirect_url } });
  };
  // What shows the next run that there is nothing to do comes last, so that it repeats an interrupted one.
  if (hasMoved) await register(known);
  const { base_url, authorization_url } = partner;
  const integration = known
    ? await admin.patch<Integration>(`/integrations/${known.integration_id}`, {
        ...(hasMoved && { base_url, authorization_url }),
        ...client,
      })
    : await admin.post<Integration>('/integrations', {
        ...{ platform, partner: 'Strict Games', organizer_id: organizerId, display_name: 'Strict Games' },
        ...partner,
        ...client,
      });
  if (!hasMoved) await register(integration);
  return integration.integration_id;
}
