import { CodedError } from '@podium/messages';
import { Pool, inTransaction } from '@podium/runtime/postgres';
import { parseUrl } from '@podium/runtime/url';
import { shareLinking } from '../erasures/erasures.store';
import { redirectUrlOf } from '../integrations/onboarding';
import { places } from '../vault/places';
import { Vault } from '../vault/vault';
import { authorizationUrl, randomSecret, secretHash } from './authorization-url';
import { insertFlow } from './flow.store';
import { LinkMetrics } from './link-metrics';
import { LinkingUser, sessionHashOf } from './linking-user';
import { PartnerIntegrationStore } from './partner-integration.store';

/** What the deployment says about linking flows. */
export interface LinkRules {
  readonly publicUrl: string;
  /** Exact addresses, as parsed, that a flow may name as its end, beside the pages of /connect. */
  readonly returnTo: ReadonlySet<string>;
  readonly flowLifetimeS: number;
  readonly openFlowsMax: number;
}

/** Where to send the user, and the secret for their browser's cookie. */
export interface StartedLink {
  readonly authorizationUrl: string;
  readonly browserSecret: string;
  readonly displayName: string;
}

/** Begins a linking flow. */
export class StartLink {
  constructor(
    private readonly pool: Pool,
    private readonly integrations: PartnerIntegrationStore,
    private readonly vault: Vault,
    private readonly rules: LinkRules,
    private readonly metrics: LinkMetrics,
  ) {}

  /**
   * Stores the flow's hashes and makes the partner's address. A browser's secret is kept when it has one, so that two tabs
   * do not end each other's flows. Throws `not_found`, `integration_paused`, and `invalid_request` for a `return_to`
   * that is not listed.
   */
  async start(
    user: LinkingUser,
    integrationId: string,
    options: { returnTo?: string; browserSecret: string | null },
  ): Promise<StartedLink> {
    const returnTo = pageOf(options.returnTo);
    const browserSecret = options.browserSecret ?? randomSecret();
    if (returnTo !== null && !this.rules.returnTo.has(returnTo))
      throw new CodedError('invalid_request', {
        message: 'return_to: must be one of the addresses agreed for this deployment',
      });
    const partner = await this.integrations.get(integrationId);
    if (!partner) throw new CodedError('not_found');
    if (partner.status !== 'active') throw new CodedError('integration_paused');
    const state = randomSecret();
    const stateHash = secretHash(state);
    const codeVerifier = partner.connection.profile.pkce ? randomSecret() : null;
    const codeVerifierEnc =
      codeVerifier === null ? null : this.vault.seal(codeVerifier, places.codeVerifier(stateHash.toString('hex')));
    const flow = {
      stateHash,
      integrationId,
      userId: user.userId,
      sessionHash: sessionHashOf(user),
      browserHash: secretHash(browserSecret),
      codeVerifierEnc,
      returnTo,
      originVersion: partner.originVersion,
    };
    const limits = { lifetimeS: this.rules.flowLifetimeS, openMax: this.rules.openFlowsMax };
    // A flow that an erasure does not see would name its user after it.
    await inTransaction(this.pool, async (tx) => {
      await shareLinking(tx);
      await insertFlow(tx, flow, limits);
    });
    this.metrics.flowStarted(partner.connection.platform);
    const redirectUri = redirectUrlOf(integrationId, this.rules.publicUrl);
    return {
      authorizationUrl: authorizationUrl(partner, { redirectUri, state, codeVerifier }),
      browserSecret,
      displayName: partner.displayName,
    };
  }
}

/** The address as it was parsed, which alone is used; what is no address stays as it is, and is in no list. */
function pageOf(returnTo: string | undefined): string | null {
  if (returnTo === undefined) return null;
  return parseUrl(returnTo)?.href ?? returnTo;
}
