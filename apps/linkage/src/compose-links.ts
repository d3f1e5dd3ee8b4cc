import { AppBase, PeriodicTask } from '@podium/runtime/app';
import { GroupPositions } from '@podium/runtime/kafka';
import { Pool, queryable } from '@podium/runtime/postgres';
import { linkageFields } from './config';
import { AccessTokens } from './links/access-tokens';
import { FinishLink } from './links/finish-link';
import { IdentifyUser } from './links/identify-user';
import { LinkMaintenance } from './links/link-maintenance';
import { LinkMetrics } from './links/link-metrics';
import { LinkReadiness } from './links/link-readiness';
import { NeedsReauth } from './links/needs-reauth';
import { PartnerIntegrationStore } from './links/partner-integration.store';
import { StartLink } from './links/start-link';
import { TokenRefresher } from './links/token-refresher';
import { TokenRevoker } from './links/token-revoker';
import { Unlink } from './links/unlink';
import { UserInfoChecks } from './links/user-info-checks';
import { UserLinks } from './links/user-links';
import { AddressAllowList } from './partner-client/partner-address-rules';
import { PartnerClient } from './partner-client/partner-client';
import { PartnerHttp } from './partner-client/partner-http';
import { PartnerWaits } from './partner-client/partner-waits';
import { Pools } from './pools';
import { Vault } from './vault/vault';

const maintenanceEveryMs = 5000;

/** Builds the linking flow, readiness, access tokens and background work on links. */
export function composeLinks(
  { config, logger, registry, lifecycle }: AppBase<typeof linkageFields>,
  { pools, positions, vault, allowList }: ComposedFrom,
): { readonly readiness: LinkReadiness; readonly instances: readonly object[] } {
  const partnerClient = new PartnerClient(new PartnerHttp(allowList), logger, registry);
  lifecycle.onStop('close', 'partner client', () => partnerClient.stop());
  const waits = new PartnerWaits(registry);
  const partnersBy = (pool: Pool) => new PartnerIntegrationStore(queryable(pool), vault);
  const readiness = new LinkReadiness(pools.background, positions, logger, registry);
  lifecycle.onStart('readiness barrier', async () => readiness.start());
  lifecycle.onStop('work', 'readiness barrier', () => readiness.stop());
  const metrics = new LinkMetrics(registry);
  const rules = { publicUrl: config.PUBLIC_URL, returnTo: new Set(config.LINK_RETURN_URLS) };
  const startLink = new StartLink(pools.users, partnersBy(pools.users), vault, rules, metrics);
  const finishLink = new FinishLink({
    ...{ pool: pools.callbacks, integrations: partnersBy(pools.callbacks), vault, readiness, metrics, logger },
    identifyUser: new IdentifyUser({ vault, partnerClient, waits, publicUrl: config.PUBLIC_URL }),
  });
  const inBackground = { pool: pools.background, integrations: partnersBy(pools.background), partnerClient, logger };
  const needsReauth = new NeedsReauth(pools.background, logger, registry);
  const refresher = new TokenRefresher(
    { ...inBackground, vault, needsReauth, instance: config.SERVICE_INSTANCE },
    registry,
  );
  const accessTokens = new AccessTokens(queryable(pools.background), vault, refresher, needsReauth);
  const userInfoChecks = new UserInfoChecks({ ...inBackground, accessTokens, needsReauth, waits });
  const revoker = new TokenRevoker({ ...inBackground, vault }, registry);
  const maintenance = new LinkMaintenance({
    pool: pools.background,
    refresher,
    checks: userInfoChecks,
    revoker,
    logger,
  });
  const maintenanceTask = new PeriodicTask({
    name: 'maintenance of links',
    everyMs: maintenanceEveryMs,
    run: (signal) => maintenance.begin(signal),
    logger,
  });
  lifecycle.onStart('maintenance of links', async () => maintenanceTask.start());
  lifecycle.onStop('work', 'maintenance of links', () => maintenanceTask.stop().then(() => maintenance.idle()));
  const userLinks = new UserLinks(queryable(pools.users), partnersBy(pools.users), userInfoChecks);
  return { readiness, instances: [startLink, finishLink, new Unlink(pools.users, readiness), userLinks] };
}

interface ComposedFrom {
  readonly pools: Pools;
  readonly positions: GroupPositions;
  readonly vault: Vault;
  readonly allowList: AddressAllowList;
}
