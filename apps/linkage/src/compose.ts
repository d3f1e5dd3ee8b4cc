import fastifyFormbody from '@fastify/formbody';
import { topics } from '@podium/messages';
import { TablePositions } from '@podium/runtime/consumers';
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
import { OutboxFence, OutboxGauges, OutboxRelay, outboxTailGroup } from '@podium/runtime/outbox';
import { openEntities, queryable, requireMigrations } from '@podium/runtime/postgres';
import { ActivityService } from './activity/activity.service';
import { SecretUse } from './activity/secret-use';
import { AppModule } from './app.module';
import { AuditService } from './audit/audit.service';
import { deploymentsOf, furtherPools, furtherPublicUrls, linkageFields, requireSafe } from './config';
import { ContractProgressStore } from './contracts/contract-progress.store';
import { ContractWatcher } from './contracts/contract-watcher';
import { Contract } from './entities/contract.entity';
import { ContractService } from './contracts/contract.service';
import { ErasureWatcher } from './erasures/erasure-watcher';
import { ErasuresService } from './erasures/erasures.service';
import { positionsTable } from './erasures/positions-table';
import { ReapplyErasures } from './erasures/reapply-erasures';
import { Integration } from './entities/integration.entity';
import { IntegrationService } from './integrations/integration.service';
import { IntegrationStore } from './integrations/integration.store';
import { ApiKey } from './entities/api-key.entity';
import { EventKeyService } from './keys/event-keys/event-key.service';
import { DataKeyService } from './keys/data-keys/data-key.service';
import { KeyRotationService } from './keys/rotation/key-rotation.service';
import { AdminLinks } from './links/admin-links';
import { composeChecks } from './compose-checks';
import { composeBrowser } from './compose-browser';
import { composeLinks } from './compose-links';
import { KeyExpiryService } from './keys/rotation/key-expiry.service';
import { migrations, schema } from './migrations';
import { createPools } from './pools';
import { TestLinksService } from './test-links/test-links.service';
import { Reencryption } from './vault/reencryption';
import { SealedRowsStore } from './vault/sealed-rows.store';
import { Vault } from './vault/vault';
import { forgetVaultKeys, tellVaultKeys } from './vault/vault-instances.store';
import { VaultService } from './vault/vault.service';

const contractsEveryMs = 500;
const erasuresEveryMs = 500;
const reencryptionEveryMs = 10 * 60 * 1000;
const vaultKeysEveryMs = 5_000;

/** Builds linkage from its configuration, top to bottom; nothing else constructs its parts. */
export async function compose(base: AppBase<typeof linkageFields>): Promise<ComposedApp> {
  const { config, logger, registry, lifecycle } = base;

  // 1. Rules over several fields of the configuration, and the encryption of secrets.
  requireSafe(config);
  const vault = new Vault(config.VAULT_KEYS);

  // 2. Postgres: pools for frequent queries, entities for tables that operators manage.
  const pools = createPools(config, base);
  const background = queryable(pools.background);
  const forOperators = queryable(pools.operators);
  await requireMigrations(background, { schema, migrations }, logger);
  const dataSource = await openEntities(
    {
      url: config.DATABASE_URL,
      schema,
      entities: [Integration, Contract, ApiKey],
      poolSize: furtherPools.entities,
    },
    base,
  );

  // 3. Kafka, and the relay of the outbox.
  const kafka = createKafka({ ...kafkaConnection(config), clientId: 'linkage', logger });
  const written = [topics.integrations, topics.apiKeys, topics.links, topics.erasures] as const;
  const producer = new RecordProducer(kafka, { logger, registry, topics: written });
  const positions = new GroupPositions(kafka, logger);
  const relay = new OutboxRelay({
    pool: pools.background,
    schema,
    source: 'linkage',
    producer: new FencedProducer(kafka, { logger, registry }),
    // Commits that Postgres lost in a failover need an operator, because other services and partners have read them.
    fence: new OutboxFence({
      ...{ pool: pools.background, schema, kafka, positions, topics: written, logger },
      group: outboxTailGroup('linkage'),
    }),
    topics: written,
    logger,
    registry,
    // Only what waits for these records: each link publishes twice.
    onPublished: (_, published) => {
      if (published.has(topics.integrations.name)) contractTask.wake();
      if (published.has(topics.links.name)) links.readiness.wake();
      if (published.has(topics.erasures.name)) erasureTask.wake();
    },
  });
  // Not awaited: while Kafka is unavailable, operators and users are served and their changes wait in the outbox.
  lifecycle.onStart('producer', async () => void producer.start().then(() => relay.start(), base.fatal));
  lifecycle.onStop('flush', 'producer', () => producer.stop());
  lifecycle.onStop('flush', 'outbox relay', () => relay.stop());
  const outboxGauges = new OutboxGauges({ pool: pools.background, schema, logger, registry });
  lifecycle.onStart('gauges of the outbox', async () => outboxGauges.start());
  lifecycle.onStop('work', 'gauges of the outbox', () => outboxGauges.stop());
  lifecycle.onStop('close', 'positions', () => positions.close());

  // 4. Integrations, for operators.
  const allowList = new Set(config.PARTNER_ADDRESS_ALLOW_LIST);
  const integrationStore = new IntegrationStore(dataSource);
  const secretUse = new SecretUse(forOperators, vault);
  const integrations = new IntegrationService(dataSource, integrationStore, vault, secretUse, {
    allowList,
    publicUrls: [config.PUBLIC_URL, ...furtherPublicUrls(config)],
    deployments: deploymentsOf(config),
  });

  // 5. Background work on integrations.
  const watcher = new ContractWatcher(new ContractProgressStore(dataSource), positions);
  const contractTask = new PeriodicTask({
    name: 'contracts in force',
    everyMs: contractsEveryMs,
    run: async () => (relay.isLeading() ? watcher.run() : undefined),
    logger,
  });
  const reencryption = new Reencryption(new SealedRowsStore(pools.background, vault), logger, registry);
  const reencryptionTask = new PeriodicTask({
    name: 're-encryption',
    everyMs: reencryptionEveryMs,
    run: (signal) => reencryption.run(signal),
    logger,
  });
  config.VAULT_KEYS.onChange(() => reencryptionTask.wake());
  const vaultKeysTask = new PeriodicTask({
    name: 'vault keys',
    everyMs: vaultKeysEveryMs,
    run: () => tellVaultKeys(background, config.SERVICE_INSTANCE, vault.keyIds),
    logger,
  });
  config.VAULT_KEYS.onChange(() => vaultKeysTask.wake());
  // If Postgres is unavailable now, other instances remove this one after a timeout.
  lifecycle.onStop('close', 'vault keys', () =>
    forgetVaultKeys(background, config.SERVICE_INSTANCE).catch(() => undefined),
  );
  for (const task of [contractTask, reencryptionTask, vaultKeysTask]) {
    lifecycle.onStart('background work', async () => task.start());
    lifecycle.onStop('work', 'background work', () => task.stop());
  }

  // 6. Links: the flow, readiness, access tokens.
  const links = composeLinks(base, { pools, positions, vault, allowList });

  // 7. Checks of partners' servers, for operators.
  const checks = composeChecks(base, { pools, vault, allowList, integrationStore, integrations });

  // 8. Erasures: watched until every service has applied them, and re-read in case this database was restored.
  const erasureWatcher = new ErasureWatcher(background, positions, registry);
  const erasureTask = new PeriodicTask({
    name: 'erasures',
    everyMs: erasuresEveryMs,
    run: () => erasureWatcher.run(),
    logger,
  });
  lifecycle.onStart('erasures', async () => erasureTask.start());
  lifecycle.onStop('work', 'erasures', () => erasureTask.stop());
  const erasuresServer = new BatchKafkaServer({
    ...{
      kafka,
      producer,
      group: 'linkage.erasures',
      positions: new TablePositions(background, positionsTable),
      logger,
      registry,
    },
    joinsInBackground: true,
    onFatal: base.fatal,
  });

  // 9. Providers of the controllers.
  const internalToken = new InternalToken(config.INTERNAL_TOKEN);

  return {
    module: AppModule.of([
      ...[internalToken, new BearerTokens({ ...issuerOf(config), logger, registry })],
      ...[integrations, new ContractService(dataSource, integrationStore)],
      new EventKeyService(dataSource, integrationStore, config.ENVIRONMENT),
      new DataKeyService(dataSource, config.ENVIRONMENT),
      new KeyRotationService(dataSource, integrationStore, config.ENVIRONMENT),
      new KeyExpiryService(dataSource, integrationStore),
      new VaultService(forOperators, vault),
      new AuditService(forOperators),
      new ErasuresService(pools.operators, () => erasureTask.wake()),
      new ReapplyErasures(pools.background),
      new AdminLinks(forOperators),
      new ActivityService(forOperators, integrationStore, secretUse),
      new TestLinksService(pools.operators, integrationStore, config.PUBLIC_URL),
      ...links.instances,
      ...checks,
      ...composeBrowser(config, logger),
    ]),
    internalToken,
    keepsActiveSpans: true,
    consumers: [erasuresServer],
    // The pages work without scripts, by plain forms.
    prepare: async (app) => {
      await app.register(fastifyFormbody);
    },
  };
}
