import { randomBytes } from 'node:crypto';
import { Admin } from './admin';
import { call } from './api';
import { repeatLogIn } from './link-user';

/** An integration as the operators' API shows it: with its addresses, and those that the partner needs of Podium. */
export interface Integration {
  integration_id: string;
  platform: string;
  base_url: string;
  onboarding: { test: { redirect_url: string; send_event_url: string } };
}

/** Where a partner is: what the service calls, and the page that users open. */
export interface PartnerAddresses {
  base_url: string;
  authorization_url: string;
}

/** The client of the demo's integrations with a new secret. */
export function newClient(): { client_id: string; client_secret: string } {
  return { client_id: 'podium', client_secret: randomBytes(24).toString('base64url') };
}

/**
 * Whether a stored address is that of the same partner on another port, because PORT_BASE has changed. An operator may have
 * given the integration another server, which stays.
 */
export function isOnOtherPort(stored: string, present: string): boolean {
  const [before, now] = [new URL(stored), new URL(present)];
  if (before.port === now.port) return false;
  before.port = now.port;
  return before.href === now.href;
}

/**
 * Gives the integration and its sandbox partner each other's addresses after a change of PORT_BASE, then links the user
 * again: tokens of the former address are not sent to the new one. No effect when the ports are the same.
 */
export async function followPorts(
  admin: Admin,
  { integration_id: integrationId, base_url, platform, onboarding }: Integration,
  demo: { gatewayUrl: string; sandboxUrl: string; userToken: string; eventApiKey: string },
): Promise<void> {
  const addresses = sandboxAddresses(demo.sandboxUrl, platform);
  if (!isOnOtherPort(base_url, addresses.base_url)) return;
  // A new origin needs a new secret. The integration changes last: an interrupted run is then repeated by the next one.
  const client = newClient();
  const { redirect_url, send_event_url } = onboarding.test;
  await call('PUT', `${demo.sandboxUrl}/dev/partners/${platform}`, {
    body: {
      client: { ...client, redirect_url },
      sending: { send_event_url, platform, event_api_key: demo.eventApiKey },
    },
  });
  await admin.patch(`/integrations/${integrationId}`, { ...addresses, ...client });
  await repeatLogIn({ ...demo, integrationId });
}

/** The addresses of a partner that the sandbox simulates. */
export function sandboxAddresses(sandboxUrl: string, platform: string): PartnerAddresses {
  const partnerUrl = `${sandboxUrl}/partners/${platform}`;
  return { base_url: partnerUrl, authorization_url: `${partnerUrl}/authorize` };
}
