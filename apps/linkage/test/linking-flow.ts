import { Pool, queryable } from '@podium/runtime/postgres';
import { freshName } from '@podium/testing';
import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import { PartnerActivity } from '../src/activity/partner-activity';
import { secretHash } from '../src/links/authorization-url';
import { takeFlow } from '../src/links/flow.store';
import { IdentifyUser } from '../src/links/identify-user';
import { LinkMetrics } from '../src/links/link-metrics';
import { PartnerIntegrationStore } from '../src/links/partner-integration.store';
import { RedirectBases } from '../src/links/redirect-bases';
import { StartLink } from '../src/links/start-link';
import { StoreLink } from '../src/links/store-link';
import { Deadline } from '../src/partner-client/deadline';
import { PartnerClient } from '../src/partner-client/partner-client';
import { PartnerHttp } from '../src/partner-client/partner-http';
import { PartnerWaits } from '../src/partner-client/partner-waits';
import { Vault } from '../src/vault/vault';

const publicUrl = 'https://test.podium.example';

/** Links users of one partner as the flow does, from its start to the stored link, without HTTP and Kafka. */
export class LinkingFlow {
  private readonly integrations: PartnerIntegrationStore;
  private readonly start: StartLink;
  private readonly identify: IdentifyUser;
  private readonly storeLink: StoreLink;

  constructor(private readonly parts: { pool: Pool; vault: Vault; logger: Logger; partnerHost: string }) {
    const { pool, vault, logger, partnerHost } = parts;
    const [registry, activity] = [new Registry(), new PartnerActivity()];
    const rules = { redirectBases: new RedirectBases(publicUrl, []), returnTo: new Set<string>() };
    this.integrations = new PartnerIntegrationStore(queryable(pool), vault);
    this.start = new StartLink(pool, this.integrations, vault, rules, new LinkMetrics(registry), activity);
    const partnerClient = new PartnerClient(new PartnerHttp(new Set([partnerHost])), logger, registry);
    this.identify = new IdentifyUser({ vault, partnerClient, waits: new PartnerWaits(registry), activity, publicUrl });
    this.storeLink = new StoreLink(pool, vault);
  }

  /** A new user links a new account; throws when any step fails. */
  async link(integrationId: string): Promise<void> {
    const user = { userId: freshName('user'), sessionId: null };
    const { authorizationUrl, browserSecret } = await this.start.start(user, integrationId, { browserSecret: null });
    const url = new URL(authorizationUrl);
    url.searchParams.set('login', freshName('sub'));
    const redirected = await fetch(url, { redirect: 'manual' });
    const back = new URL(redirected.headers.get('location') ?? '');
    const partner = await this.integrations.get(integrationId);
    const flow = await takeFlow(queryable(this.parts.pool), {
      stateHash: secretHash(back.searchParams.get('state') ?? ''),
      integrationId,
      browserHash: secretHash(browserSecret),
    });
    if (!partner || !flow) throw new Error('the flow or its integration is gone');
    const deadline = Deadline.within(20_000);
    const identified = await this.identify.identify(partner, flow, back.searchParams.get('code') ?? '', { deadline });
    if (!identified.ok) throw new Error(identified.reason);
    const { tokens, exchangedAtMs, user: account } = identified.value;
    const { platform, organizerId } = partner;
    const times = { begunAt: flow.createdAt, exchangedAtMs };
    const pair = { integrationId, platform, organizerId, userId: flow.userId, ...account, ...times };
    const stored = await this.storeLink.store(partner, pair, tokens);
    if (typeof stored === 'string') throw new Error(stored);
  }
}
