import { AppBase, PeriodicTask } from '@podium/runtime/app';
import { GroupPositions } from '@podium/runtime/kafka';
import { Registry } from '@podium/runtime/metrics';
import { Pool, queryable } from '@podium/runtime/postgres';
import { PartnerActivity } from './activity/partner-activity';
import { WriteActivity } from './activity/write-activity';
import { furtherPublicUrls, linkageFields } from './config';
import { AccessTokens } from './links/access-tokens';
import { FinishLink } from './links/finish-link';
import { IdentifyUser } from './links/identify-user';
import { LinkChangeRate } from './links/link-change-rate';
import { LinkMaintenance } from './links/link-maintenance';
import { LinkMetrics } from './links/link-metrics';
import { LinkReadiness } from './links/link-readiness';
import { blockErasures } from './links/linking-lock.store';
import { NeedsReauth } from './links/needs-reauth';
import { overdueRefreshes } from './links/overdue-refreshes';
import { PartnerIntegrationStore } from './links/partner-integration.store';
import { RedirectBases } from './links/redirect-bases';
import { RevokeUnused } from './links/revoke-unused';
import { StoreLink } from './links/store-link';
import { StartLink } from './links/start-link';
import { TokenRefresher } from './links/token-refresher';
import { TokenRevoker } from './links/token-revoker';
import { Unlink } from './links/unlink';
import { unknownGrants } from './links/unknown-grants';
import { UserInfoChecks } from './links/user-info-checks';
import { UserLinks } from './links/user-links';
import { AddressAllowList } from './partner-client/partner-address-rules';
import { PartnerClient } from './partner-client/partner-client';
import { PartnerHttp } from './partner-client/partner-http';
import { PartnerWaits } from './partner-client/partner-waits';
import { Pools } from './pools';
import { FinishTestLink } from './test-links/finish-test-link';
import { deleteTestLinks } from './test-links/test-link.store';
import { OpenTestLink } from './test-links/open-test-link';
import { Vault } from './vault/vault';

const maintenanceEveryMs = 5000;
const activityEveryMs = 1000;
const gaugesEveryMs = 30_000;
const pruneEveryMs = 10 * 60_000;

/** Builds the linking flow, readiness, access tokens and background work on links. */
export function composeLinks(
  { config, logger, registry, health, lifecycle }: AppBase<typeof linkageFields>,
  { pools, positions, vault, allowList }: ComposedFrom,
): { readonly readiness: LinkReadiness; readonly instances: readonly object[] } {
  const partnerClient = new PartnerClient(new PartnerHttp(allowList), logger, registry);
  lifecycle.onStop('close', 'partner client', () => partnerClient.stop());
  const activity = new PartnerActivity();
  const waits = new PartnerWaits(registry);
  const partnersBy = (pool: Pool) => new PartnerIntegrationStore(queryable(pool), vault);
  // Users wait for it in their callbacks, and would wait for all background work on its pool.
  const readiness = new LinkReadiness(pools.callbacks, positions, logger, registry, activity);
  lifecycle.onStart('readiness barrier', async () => readiness.start());
  lifecycle.onStop('work', 'readiness barrier', () => readiness.stop());
  const metrics = new LinkMetrics(registry);
  const redirectBases = new RedirectBases(config.PUBLIC_URL, furtherPublicUrls(config));
  const rules = { redirectBases, returnTo: new Set(config.LINK_RETURN_URLS) };
  const startLink = new StartLink(pools.users, partnersBy(pools.users), vault, rules, metrics, activity);
  const testClient = new PartnerClient(new PartnerHttp(allowList), logger, new Registry());
  const finishTestLink = new FinishTestLink({ pool: pools.callbacks, vault, partnerClient: testClient });
  lifecycle.onStop('close', 'partner client of tests', () => finishTestLink.stop());
  const openTestLink = new OpenTestLink({
    ...{ pool: pools.users, integrations: partnersBy(pools.users), vault, redirectBases },
  });
  const finishLink = new FinishLink({
    ...{ pool: pools.callbacks, integrations: partnersBy(pools.callbacks), readiness, metrics, activity, logger },
    storeLink: new StoreLink(pools.callbacks, vault),
    identifyUser: new IdentifyUser({ vault, partnerClient, waits, activity, publicUrl: config.PUBLIC_URL }),
    revokeUnused: new RevokeUnused({ pool: pools.callbacks, partnerClient, waits, activity, logger }),
    finishTest: (...redirect) => finishTestLink.finish(...redirect),
  });
  lifecycle.onStop('work', 'flows that were taken', () => finishLink.idle());
  const inBackground = {
    ...{ pool: pools.background, integrations: partnersBy(pools.background), partnerClient, activity, logger },
  };
  const needsReauth = new NeedsReauth(pools.background, logger, registry);
  const refresher = new TokenRefresher(
    { ...inBackground, vault, needsReauth, instance: config.SERVICE_INSTANCE },
    registry,
  );
  const accessTokens = new AccessTokens(queryable(pools.background), vault, refresher, needsReauth);
  const userInfoChecks = new UserInfoChecks({ ...inBackground, accessTokens, needsReauth, waits });
  lifecycle.onStop('work', 'checks that users asked for', () => userInfoChecks.idle());
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
    // Already during the drain nothing begins: a refresh that the stop cuts off may end its grant at a partner that detects reuse.
    run: (signal) =>
      maintenance.begin({
        get aborted() {
          return signal.aborted || health.isDraining();
        },
      }),
    logger,
  });
  lifecycle.onStart('maintenance of links', async () => maintenanceTask.start());
  lifecycle.onStop('work', 'maintenance of links', () => maintenanceTask.stop().then(() => maintenance.idle()));
  const writeActivity = new WriteActivity({
    ...{ pool: pools.background, activity, blockErasures, instance: config.SERVICE_INSTANCE },
    breakers: () => partnerClient.breakersNotClosed(),
  });
  const grantsGauge = unknownGrants(queryable(pools.background), registry);
  const refreshesGauge = overdueRefreshes(queryable(pools.background), registry);
  for (const [name, everyMs, run] of [
    ['activity with partners', activityEveryMs, () => writeActivity.run()],
    ['former activity with partners', pruneEveryMs, () => writeActivity.prune()],
    ['grants in an unknown state', gaugesEveryMs, () => grantsGauge.run()],
    ['overdue refreshes', gaugesEveryMs, () => refreshesGauge.run()],
    ['former test links', pruneEveryMs, () => deleteTestLinks(queryable(pools.background))],
  ] as const) {
    const task = new PeriodicTask({ name, everyMs, run, logger });
    lifecycle.onStart(name, async () => task.start());
    lifecycle.onStop('work', name, () => task.stop());
  }
  // What the last requests recorded.
  lifecycle.onStop('flush', 'activity with partners', () => writeActivity.run().catch(() => undefined));
  const userLinks = new UserLinks(queryable(pools.users), partnersBy(pools.users), userInfoChecks);
  return {
    readiness,
    instances: [
      ...[startLink, finishLink, new Unlink(pools.users, readiness), userLinks, openTestLink, redirectBases],
      new LinkChangeRate(queryable(pools.users), {
        perMinute: config.LINK_CHANGES_PER_MINUTE,
        perDay: config.LINK_CHANGES_PER_DAY,
      }),
    ],
  };
}

interface ComposedFrom {
  readonly pools: Pools;
  readonly positions: GroupPositions;
  readonly vault: Vault;
  readonly allowList: AddressAllowList;
}
