import { CodedError } from '@podium/messages';
import { Pool, inTransaction } from '@podium/runtime/postgres';
import { parseUrl } from '@podium/runtime/url';
import { callbackLifetimeS, linkFlowLifetimeS, openFlowsMax } from '../browser/flow-lifetimes';
import { PartnerActivity } from '../activity/partner-activity';
import { Vault } from '../vault/vault';
import { randomSecret, secretHash } from './authorization-url';
import { beginFlow } from './begin-flow';
import { insertFlow } from './flow.store';
import { LinkMetrics } from './link-metrics';
import { holdRevocations } from './revocation.store';
import { blockErasures } from './linking-lock.store';
import { LinkingUser } from '../browser/linking-user';
import { sessionHashOf } from './session-binding';
import { RedirectBases } from './redirect-bases';
import { PartnerIntegrationStore } from './partner-integration.store';

/** For so long former tokens of the user are not revoked at the partner: the life of a flow, and its callback after that. */
const revocationsHeldS = linkFlowLifetimeS + callbackLifetimeS;

/** Settings of the deployment for linking flows. */
export interface LinkRules {
  readonly redirectBases: RedirectBases;
  /** Exact addresses, as parsed, to which a flow may return, in addition to the pages of /connect. */
  readonly returnTo: ReadonlySet<string>;
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
    private readonly activity: PartnerActivity,
  ) {}

  /**
   * Stores the flow's hashes and makes the URL of the partner's authorization page. A browser keeps its existing secret, so
   * that two tabs do not end each other's flows. Throws `not_found`, `integration_paused`, and `invalid_request` for a
   * `return_to` that is not listed.
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
        message: 'return_to: must be one of the addresses configured for this deployment',
      });
    const partner = await this.integrations.get(integrationId);
    if (!partner) throw new CodedError('not_found');
    if (partner.status !== 'active') throw new CodedError('integration_paused');
    const owner = {
      ...{ userId: user.userId, sessionHash: sessionHashOf(user), browserHash: secretHash(browserSecret) },
      ...{ returnTo, testLinkId: null },
    };
    const { flow, authorizationUrl } = beginFlow(partner, owner, {
      vault: this.vault,
      redirectBases: this.rules.redirectBases,
    });
    const limits = { lifetimeS: linkFlowLifetimeS, openMax: openFlowsMax };
    // A flow that an erasure misses would still contain its user afterwards.
    await inTransaction(this.pool, async (tx) => {
      await blockErasures(tx);
      await insertFlow(tx, flow, limits);
      await holdRevocations(tx, { userId: user.userId, integrationId, forS: revocationsHeldS });
    });
    this.metrics.flowStarted(partner.connection.platform);
    this.activity.passed(integrationId, 'started', null);
    return { authorizationUrl, browserSecret, displayName: partner.displayName };
  }
}

/** The parsed address, the only form that is used. Text that is not an address stays unchanged and matches no list. */
function pageOf(returnTo: string | undefined): string | null {
  if (returnTo === undefined) return null;
  return parseUrl(returnTo)?.href ?? returnTo;
}
