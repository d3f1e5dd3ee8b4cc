import fastifyFormbody from '@fastify/formbody';
import { topics } from '@podium/messages';
import { AppBase, ComposedApp, PeriodicTask } from '@podium/runtime/app';
import { BearerTokens, InternalToken, issuerOf } from '@podium/runtime/http';
import {
  BatchKafkaServer,
  FencedProducer,
  GroupPositions,
  RecordProducer,
  createKafka,
  kafkaConnection,
} from '@podium/runtime/kafka';
import { OutboxFence, OutboxRelay, outboxTailGroup } from '@podium/runtime/outbox';
import { Pool, dataSourceOptions, queryable, requireMigrations } from '@podium/runtime/postgres';
import { DataSource } from 'typeorm';
import { AppModule } from './app.module';
import { AuditService } from './audit/audit.service';
import { LinkageConfig, furtherPools, linkageFields, requireSafe } from './config';
import { BrowserCookies } from './connect/browser-cookies';
import { FlowBrowser } from './connect/flow-browser';
import { IdentityProvider } from './connect/identity-provider';
import { LoginLog } from './connect/login-log';
import { OwnPages } from './connect/own-pages';
import { Pages } from './connect/pages';
import { SealedCookies } from './connect/sealed-cookies';
import { Sessions } from './connect/sessions';
import { ContractProgressStore } from './contracts/contract-progress.store';
import { ContractWatcher } from './contracts/contract-watcher';
import { Contract } from './contracts/contract.entity';
import { ContractService } from './contracts/contract.service';
import { ErasureWatcher } from './erasures/erasure-watcher';
import { ErasuresService } from './erasures/erasures.service';
import { PositionsStore } from './erasures/positions.store';
import { ReapplyErasures } from './operations/restore/reapply-erasures';
import { Integration } from './integrations/integration.entity';
import { IntegrationService } from './integrations/integration.service';
import { IntegrationStore } from './integrations/integration.store';
import { ApiKey } from './keys/api-key.entity';
import { ApiKeyService } from './keys/api-key.service';
import { DataKeyService } from './keys/data-key.service';
import { KeyRotation } from './keys/key-rotation.service';
import { AccessTokens } from './links/access-tokens';
import { AdminLinks } from './links/admin-links';
import { FinishLink } from './links/finish-link';
import { IdentifyUser } from './links/identify-user';
import { LinkMetrics } from './links/link-metrics';
import { PartnerIntegrationStore } from './links/partner-integration.store';
import { ReadinessBarrier } from './links/readiness-barrier';
import { LinkRules, StartLink } from './links/start-link';
import { Unlink } from './links/unlink';
import { UserInfoChecks } from './links/user-info-checks';
import { UserLinks } from './links/user-links';
import { migrations, schema } from './migrations';
import { PartnerClient } from './partner-client/partner-client';
import { PartnerHttp } from './partner-client/partner-http';
import { PartnerRoom } from './partner-client/partner-room';
import { createPools } from './pools';
import { Reencryption } from './vault/reencryption';
import { SealedRowsStore } from './vault/sealed-rows.store';
import { Vault } from './vault/vault';
import { forgetVaultKeys, tellVaultKeys } from './vault/vault-instances.store';
import { VaultService } from './vault/vault.service';

const contractLookEveryMs = 500;
const erasureLookEveryMs = 500;
const reencryptionEveryMs = 10 * 60 * 1000;
const vaultKeysEveryMs = 5_000;
const userInfoRoundEveryMs = 30_000;
const flowLifetimeS = 600;
const openFlowsMax = 5;

/** Builds linkage from its configuration, top to bottom; nothing else constructs its parts. */
export async function compose(base: AppBase<typeof linkageFields>): Promise<ComposedApp> {
  const { config, logger, registry, lifecycle } = base;

  // 1. What no single field can know, and secrets at rest.
  requireSafe(config);
  const vault = new Vault(config.VAULT_KEYS);

  // 2. Postgres: hot tables by pools, what operators manage by entities.
  const pools = createPools(config, { logger, registry, lifecycle });
  const background = queryable(pools.background);
  const forOperators = queryable(pools.operators);
  await requireMigrations(
    background,
    schema,
    migrations.map((migration) => migration.name),
  );
  const dataSource = new DataSource(
    dataSourceOptions({
      url: config.DATABASE_URL,
      schema,
      entities: [Integration, Contract, ApiKey],
      migrations: [],
      poolSize: furtherPools.entities,
    }),
  );
  await dataSource.initialize();
  lifecycle.onStop('close', 'entities', () => dataSource.destroy());

  // 3. Kafka, and the relay of what transactions decided.
  const kafka = createKafka({ ...kafkaConnection(config), clientId: 'linkage', logger });
  const written = [topics.integrations, topics.apiKeys, topics.links, topics.erasures] as const;
  const producer = new RecordProducer(kafka, { logger, registry, topics: written });
  const positions = new GroupPositions(kafka, logger);
  const relay = new OutboxRelay({
    pool: pools.background,
    schema,
    source: 'linkage',
    producer: new FencedProducer(kafka, { logger, registry }),
    // What Postgres has lost in a failover an operator looks at: other services and partners were told of it.
    fence: new OutboxFence({
      ...{ pool: pools.background, schema, kafka, positions, topics: written, logger, registry },
      group: outboxTailGroup('linkage'),
    }),
    topics: written,
    logger,
    registry,
    onPublished: () => {
      contractLook.poke();
      barrier.kick();
      erasureLook.poke();
    },
  });
  // In the background: operators and users are served while Kafka is away, what they decide waits in the outbox.
  lifecycle.onStart('producer', async () => void producer.start().then(() => relay.start(), base.fatal));
  lifecycle.onStop('flush', 'producer', () => producer.stop());
  lifecycle.onStop('flush', 'outbox relay', () => relay.stop());
  lifecycle.onStop('close', 'positions', () => positions.close());

  // 4. Integrations, contracts, keys and the audit, for operators.
  const allowList = new Set(config.PARTNER_ADDRESS_ALLOW_LIST);
  const integrationStore = new IntegrationStore(dataSource);
  const integrations = new IntegrationService(dataSource, integrationStore, vault, {
    allowList,
    deployments: {
      test: { publicUrl: config.TEST_PUBLIC_URL, egressAddresses: config.TEST_EGRESS_ADDRESSES },
      production: { publicUrl: config.PRODUCTION_PUBLIC_URL, egressAddresses: config.PRODUCTION_EGRESS_ADDRESSES },
    },
  });
  const contracts = new ContractService(dataSource, integrationStore);
  const keys = new ApiKeyService(dataSource, integrationStore, config.ENVIRONMENT);
  const dataKeys = new DataKeyService(dataSource, config.ENVIRONMENT);
  const audit = new AuditService(forOperators);

  // 5. Background work on them.
  const watcher = new ContractWatcher(new ContractProgressStore(dataSource), positions);
  const contractLook = new PeriodicTask({
    name: 'contracts in force',
    everyMs: contractLookEveryMs,
    run: async () => (relay.isLeading() ? watcher.run() : undefined),
    logger,
  });
  const reencryption = new Reencryption(new SealedRowsStore(pools.background, dataSource, vault), logger, registry);
  const reencryptionTask = new PeriodicTask({
    name: 're-encryption',
    everyMs: reencryptionEveryMs,
    run: (signal) => reencryption.run(signal),
    logger,
  });
  config.VAULT_KEYS.onChange(() => reencryptionTask.poke());
  const vaultKeysTask = new PeriodicTask({
    name: 'vault keys',
    everyMs: vaultKeysEveryMs,
    run: () => tellVaultKeys(background, config.SERVICE_INSTANCE, vault.keyIds),
    logger,
  });
  config.VAULT_KEYS.onChange(() => vaultKeysTask.poke());
  // Others forget it by themselves when Postgres is away now.
  lifecycle.onStop('close', 'vault keys', () =>
    forgetVaultKeys(background, config.SERVICE_INSTANCE).catch(() => undefined),
  );
  for (const task of [contractLook, reencryptionTask, vaultKeysTask]) {
    lifecycle.onStart('background work', async () => task.start());
    lifecycle.onStop('work', 'background work', () => task.stop());
  }

  // 6. Links: the flow, the barrier before a link counts, tokens kept alive.
  const partnerClient = new PartnerClient(new PartnerHttp(allowList), logger, registry);
  lifecycle.onStop('close', 'partner client', () => partnerClient.stop());
  const rules: LinkRules = {
    publicUrl: config.PUBLIC_URL,
    returnTo: new Set(config.LINK_RETURN_URLS),
    flowLifetimeS,
    openFlowsMax,
  };
  const room = new PartnerRoom(registry);
  const partnersBy = (pool: Pool) => new PartnerIntegrationStore(queryable(pool), vault);
  const barrier = new ReadinessBarrier(pools.background, positions, logger, registry);
  lifecycle.onStart('readiness barrier', async () => barrier.start());
  lifecycle.onStop('work', 'readiness barrier', () => barrier.stop());
  const linkMetrics = new LinkMetrics(registry);
  const startLink = new StartLink(pools.users, partnersBy(pools.users), vault, rules, linkMetrics);
  const finishLink = new FinishLink({
    ...{ pool: pools.callbacks, integrations: partnersBy(pools.callbacks), vault, barrier, logger },
    identifyUser: new IdentifyUser({ vault, partnerClient, room, publicUrl: config.PUBLIC_URL }),
    metrics: linkMetrics,
  });
  const unlink = new Unlink(pools.users, barrier);
  const inBackground = { pool: pools.background, integrations: partnersBy(pools.background), partnerClient, logger };
  const accessTokens = new AccessTokens({ ...inBackground, vault, instance: config.SERVICE_INSTANCE }, registry);
  const userInfoChecks = new UserInfoChecks({ ...inBackground, accessTokens, room });
  const userInfoTask = new PeriodicTask({
    name: 'user info checks',
    everyMs: userInfoRoundEveryMs,
    run: (signal) => userInfoChecks.run(signal),
    logger,
  });
  lifecycle.onStart('user info checks', async () => userInfoTask.start());
  lifecycle.onStop('work', 'user info checks', () => userInfoTask.stop());

  // 7. Erasures: followed until every service has them, and read back in case this database was restored.
  const erasureWatcher = new ErasureWatcher(background, positions, registry);
  const erasureLook = new PeriodicTask({
    name: 'erasures',
    everyMs: erasureLookEveryMs,
    run: () => erasureWatcher.run(),
    logger,
  });
  lifecycle.onStart('erasures', async () => erasureLook.start());
  lifecycle.onStop('work', 'erasures', () => erasureLook.stop());
  const erasuresServer = new BatchKafkaServer({
    ...{ kafka, producer, group: 'linkage.erasures', positions: new PositionsStore(background), logger, registry },
    joinsInBackground: true,
    onFatal: base.fatal,
  });

  // 8. The pages of /connect.
  const ownPages = new OwnPages(config.PUBLIC_URL);
  const cookies = new BrowserCookies(config.PUBLIC_URL);
  const sealedCookies = new SealedCookies(config.SESSION_KEYS);
  const identityProvider = new IdentityProvider({
    issuerUrl: config.OIDC_ISSUER_URL,
    clientId: config.OIDC_CLIENT_ID,
    clientSecret: config.OIDC_CLIENT_SECRET,
    redirectUri: `${config.PUBLIC_URL}/connect/callback`,
    plainHttp: mayUsePlainHttp(config),
  });

  // 9. Who may call.
  const internalToken = new InternalToken(config.INTERNAL_TOKEN);
  const bearerTokens = new BearerTokens({ ...issuerOf(config), logger, registry });

  return {
    module: AppModule.of([
      { provide: InternalToken, useValue: internalToken },
      { provide: BearerTokens, useValue: bearerTokens },
      { provide: IntegrationService, useValue: integrations },
      { provide: ContractService, useValue: contracts },
      { provide: ApiKeyService, useValue: keys },
      { provide: DataKeyService, useValue: dataKeys },
      { provide: KeyRotation, useValue: new KeyRotation(dataSource, integrationStore, config.ENVIRONMENT) },
      { provide: VaultService, useValue: new VaultService(forOperators, vault) },
      { provide: AuditService, useValue: audit },
      { provide: ErasuresService, useValue: new ErasuresService(pools.operators, () => erasureLook.poke()) },
      { provide: ReapplyErasures, useValue: new ReapplyErasures(pools.background) },
      { provide: AdminLinks, useValue: new AdminLinks(forOperators) },
      { provide: UserLinks, useValue: new UserLinks(queryable(pools.users), partnersBy(pools.users), userInfoChecks) },
      { provide: StartLink, useValue: startLink },
      { provide: FinishLink, useValue: finishLink },
      { provide: Unlink, useValue: unlink },
      { provide: OwnPages, useValue: ownPages },
      { provide: BrowserCookies, useValue: cookies },
      { provide: FlowBrowser, useValue: new FlowBrowser(cookies) },
      { provide: SealedCookies, useValue: sealedCookies },
      { provide: Sessions, useValue: new Sessions(sealedCookies, cookies) },
      { provide: Pages, useValue: new Pages(ownPages) },
      { provide: IdentityProvider, useValue: identityProvider },
      { provide: LoginLog, useValue: new LoginLog(logger) },
    ]),
    internalToken,
    keepsActiveSpans: true,
    consumers: [erasuresServer],
    // The pages work without script, by plain forms.
    prepare: async (app) => {
      await app.register(fastifyFormbody);
    },
  };
}

/** Plain http to the identity provider only where it is this very machine's, in test. */
function mayUsePlainHttp(config: LinkageConfig): boolean {
  const host = new URL(config.OIDC_ISSUER_URL).hostname;
  return config.ENVIRONMENT === 'test' && ['localhost', '127.0.0.1', '[::1]'].includes(host);
}
