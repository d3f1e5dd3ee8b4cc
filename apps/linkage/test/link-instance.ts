import { Pool, queryable } from '@podium/runtime/postgres';
import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import { PartnerIntegrationStore } from '../src/links/partner-integration.store';
import { UserInfoChecks } from '../src/links/user-info-checks';
import { PartnerActivity } from '../src/activity/partner-activity';
import { PartnerClient } from '../src/partner-client/partner-client';
import { PartnerHttp } from '../src/partner-client/partner-http';
import { PartnerWaits } from '../src/partner-client/partner-waits';
import { AccessTokens } from '../src/links/access-tokens';
import { FailingPartners } from '../src/links/failing-partners';
import { LinkMaintenance } from '../src/links/link-maintenance';
import { NeedsReauth } from '../src/links/needs-reauth';
import { TokenRefresher } from '../src/links/token-refresher';
import { TokenRevoker } from '../src/links/token-revoker';
import { Vault } from '../src/vault/vault';

/** The parts of one linkage instance that handle links. */
export interface LinkInstance {
  readonly accessTokens: AccessTokens;
  readonly checks: UserInfoChecks;
  readonly maintenance: LinkMaintenance;
  readonly revoker: TokenRevoker;
  readonly registry: Registry;
  /** One round of background work, to its end. */
  maintain(): Promise<void>;
  stop(): Promise<void>;
}

/** Builds them as the composition root does, without HTTP and Kafka. */
export function linkInstance(parts: {
  pool: Pool;
  vault: Vault;
  logger: Logger;
  /** `host:port` of the partner. */
  partnerHost: string;
  instance: string;
  /** The clock of background work, ms. */
  nowMs?: () => number;
}): LinkInstance {
  const { pool, vault, logger, partnerHost, instance } = parts;
  const registry = new Registry();
  const partnerClient = new PartnerClient(new PartnerHttp(new Set([partnerHost])), logger, registry);
  const integrations = new PartnerIntegrationStore(queryable(pool), vault);
  const needsReauth = new NeedsReauth(pool, logger, registry);
  const activity = new PartnerActivity();
  const shared = { pool, integrations, vault, partnerClient, activity, needsReauth, logger, instance };
  const refresher = new TokenRefresher(shared, registry);
  const accessTokens = new AccessTokens(queryable(pool), vault, refresher, needsReauth);
  const checks = new UserInfoChecks({ ...shared, accessTokens, waits: new PartnerWaits(registry) });
  const revoker = new TokenRevoker(shared, registry);
  const maintenance = new LinkMaintenance(
    { pool, refresher, checks, revoker, logger },
    new FailingPartners(parts.nowMs),
  );
  const maintain = async (): Promise<void> => {
    await maintenance.begin(new AbortController().signal);
    await maintenance.idle();
  };
  return { accessTokens, checks, maintenance, revoker, registry, maintain, stop: () => partnerClient.stop() };
}
