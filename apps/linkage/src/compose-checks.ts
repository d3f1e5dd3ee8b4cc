import { AppBase } from '@podium/runtime/app';
import { queryable } from '@podium/runtime/postgres';
import { CheckMetrics } from './checks/check-metrics';
import { CheckReturns } from './checks/check-returns';
import { CheckRunner } from './checks/check-runner';
import { OpenCheckLogIn } from './checks/open-check-log-in';
import { PartnerChecks } from './checks/partner-checks.service';
import { furtherPublicUrls, linkageFields } from './config';
import { IntegrationService } from './integrations/integration.service';
import { IntegrationStore } from './integrations/integration.store';
import { RedirectBases } from './links/redirect-bases';
import { PartnerIntegrationStore } from './links/partner-integration.store';
import { AddressAllowList } from './partner-client/partner-address-rules';
import { PartnerHttp } from './partner-client/partner-http';
import { Pools } from './pools';
import { Vault } from './vault/vault';

/** Builds the checks of partners' servers. Their connections are their own, so that a check never uses up those of users. */
export function composeChecks(
  { config, logger, health, lifecycle, registry }: AppBase<typeof linkageFields>,
  { pools, vault, allowList, integrationStore, integrations }: ComposedFrom,
): readonly object[] {
  const http = new PartnerHttp(allowList);
  const background = queryable(pools.background);
  const runner = new CheckRunner({ db: background, http, vault, logger, metrics: new CheckMetrics(registry) });
  lifecycle.onStop('work', 'checks of partners', () => runner.stop());
  lifecycle.onStop('close', 'connections of checks', () => http.stop());
  const partners = new PartnerIntegrationStore(queryable(pools.operators), vault);
  const parts = {
    ...{ pool: pools.operators, integrationStore, integrations, partners, vault, runner },
    isStopping: () => health.isDraining(),
  };
  return [
    new PartnerChecks(parts, new RedirectBases(config.PUBLIC_URL, furtherPublicUrls(config)), config.PUBLIC_URL),
    new OpenCheckLogIn(queryable(pools.callbacks), vault),
    new CheckReturns(queryable(pools.callbacks), vault, logger),
  ];
}

interface ComposedFrom {
  readonly pools: Pools;
  readonly vault: Vault;
  readonly allowList: AddressAllowList;
  readonly integrationStore: IntegrationStore;
  readonly integrations: IntegrationService;
}
