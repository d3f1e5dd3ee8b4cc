import { redirectUrlOf } from './redirect-url';

/** The public address of one deployment and the addresses from which it calls. */
export interface Deployment {
  readonly publicUrl: string;
  /** Addresses that reach it too, during a change of its domain. */
  readonly furtherPublicUrls: readonly string[];
  readonly egressAddresses: readonly string[];
}

/** Both deployments, as partners need them. */
export interface Deployments {
  readonly test: Deployment;
  readonly production: Deployment;
}

/** The data that the partner gets from the service (specification, Flow rules 7). */
export interface Onboarding {
  platform: string;
  test: OnboardingAddresses;
  production: OnboardingAddresses;
  steps: string[];
  recommendation: string;
}

/** The addresses of one deployment as the partner enters them. */
export interface OnboardingAddresses {
  redirect_url: string;
  further_redirect_urls: string[];
  send_event_url: string;
  egress_addresses: string[];
}

/** Makes the onboarding data for the partner of an integration. */
export function onboardingOf(
  integration: { platform: string; integrationId: string },
  deployments: Deployments,
): Onboarding {
  return {
    platform: integration.platform,
    test: addressesOf(integration.integrationId, deployments.test),
    production: addressesOf(integration.integrationId, deployments.production),
    steps,
    recommendation,
  };
}

function addressesOf(integrationId: string, deployment: Deployment): OnboardingAddresses {
  return {
    redirect_url: redirectUrlOf(integrationId, deployment.publicUrl),
    further_redirect_urls: deployment.furtherPublicUrls.map((url) => redirectUrlOf(integrationId, url)),
    send_event_url: `${deployment.publicUrl}/cdp/v1/users/events/send`,
    egress_addresses: [...deployment.egressAddresses],
  };
}

/** A recommendation for operators, in the API documentation and in responses. */
export const recommendation =
  'A partner with several customer databases needs one integration and one organizer for each, which splits competitions. ' +
  'A single consolidated customer database is recommended.';

const steps = [
  'Give the partner the redirect URL and, if it uses an allow-list, our egress addresses, for test and production.',
  'The partner implements the authorization page, POST /oauth2/token and GET /oauth2/userinfo and shares client_id and client_secret.',
  'Link an account on test together, then on production.',
  'Agree on event names and attributes with the partner and publish them as its contract.',
  'Give the partner the platform name, the send-event URL and an event key of test and of production.',
  'Right after linking, the partner sends the events that already happened, then every new one, and retries until they are accepted.',
  'Send events on test together, then on production.',
];
