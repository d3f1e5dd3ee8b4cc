import { IntegrationReply } from './integration-reply.dto';
import { Integration } from '../entities/integration.entity';
import { defaultProfile } from './apply-changes';
import { Deployments, onboardingOf } from './onboarding';

/** An integration as operators see it: every field is listed here, so that a new column exposes no secret. */
export function integrationReply(integration: Integration, deployments: Deployments): IntegrationReply {
  return {
    integration_id: integration.integrationId,
    platform: integration.platform,
    partner: integration.partner,
    organizer_id: integration.organizerId,
    display_name: integration.displayName,
    status: integration.status,
    authorization_url: integration.authorizationUrl,
    base_url: integration.baseUrl,
    client_id: integration.clientId,
    client_secret_rotating: integration.previousClientSecretEnc !== null,
    rate_per_second: integration.ratePerSecond,
    // Profiles of earlier releases lack later fields.
    profile: { ...defaultProfile, ...integration.profile },
    version: integration.version,
    created_at: integration.createdAt.toISOString(),
    updated_at: integration.updatedAt.toISOString(),
    onboarding: onboardingOf(integration, deployments),
  };
}
