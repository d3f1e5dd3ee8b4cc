import { randomBytes } from 'node:crypto';
import { AddressInfo } from 'node:net';
import { topics } from '@podium/messages';
import { Lifecycle, createApplication, unlessStopping } from '@podium/runtime/app';
import { readConfig, serviceFields } from '@podium/runtime/config';
import { Health } from '@podium/runtime/health';
import { createKafka, ensureTopics } from '@podium/runtime/kafka';
import { Logger } from '@podium/runtime/log';
import { createRegistry } from '@podium/runtime/metrics';
import { TestIssuer, freshDatabase, localStack } from '@podium/testing';
import { keepOutput, keepSecret } from '@podium/testing/run-record';
import { pino } from 'pino';
import { compose } from '../src/compose';
import { linkageFields } from '../src/config';
import { migrations, schema } from '../src/migrations';
import { sessionKey, vaultKey } from './spec-keys';

/** A running linkage on a free port, with its own database and the keys of an identity provider. */
export interface RunningLinkage {
  readonly url: string;
  readonly databaseUrl: string;
  readonly internalToken: string;
  /** All log lines. */
  readonly logged: string[];
  /** The identity provider whose tokens it accepts. */
  readonly issuer: TestIssuer;
  /** The text of /metrics. */
  metrics(): Promise<string>;
  /** A token of an operator with these roles. */
  operatorToken(roles: Record<string, string>): Promise<string>;
  /** A token of a user. */
  userToken(userId: string): Promise<string>;
  /** Begins to stop it, as SIGTERM does: it serves on. */
  drain(): void;
  /** Stops it in its order; `stopped` runs while its database is still there. */
  stop(stopped?: () => Promise<void>): Promise<void>;
}

/** Starts linkage for one spec file; `env` replaces configuration. */
export async function startLinkage(env: Record<string, string> = {}): Promise<RunningLinkage> {
  const database = await freshDatabase({ schema, migrations });
  const provider = await TestIssuer.start();
  const internalToken = randomBytes(16).toString('hex');
  const config = readConfig(
    { ...serviceFields, ...linkageFields },
    { ...environment(database.url, provider.url, internalToken), ...env },
  );
  keepSecret('vault key', vaultKey.toString('base64'));
  keepSecret('session key', sessionKey.toString('base64'));
  keepSecret('internal token', internalToken);
  const logged: string[] = [];
  const logger: Logger = pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) });
  const kafka = createKafka({ brokers: [...localStack().kafkaBrokers], clientId: 'linkage-spec', logger });
  await ensureTopics(kafka, [topics.integrations, topics.apiKeys, topics.links, topics.erasures], {
    replicationFactor: 1,
    minInsyncReplicas: 1,
  });
  const lifecycle = new Lifecycle();
  const registry = createRegistry('linkage');
  const health = new Health();
  const composed = await compose({
    config,
    logger,
    registry,
    health,
    lifecycle,
    fatal: unlessStopping((error) => void logged.push(`fatal ${error.stack}`), { health, logger }),
  });
  await lifecycle.start();
  const app = await createApplication(composed, logger);
  await app.listen(0, '127.0.0.1');
  return {
    url: `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`,
    databaseUrl: database.url,
    internalToken,
    logged,
    issuer: provider,
    metrics: () => registry.metrics(),
    operatorToken: (roles) => provider.token('operator-1', { podium_roles: roles }),
    userToken: (userId) => provider.token(userId),
    drain: () => health.drain(),
    stop: async (stopped) => {
      keepOutput('metrics', await registry.metrics());
      health.drain();
      await app.close();
      await lifecycle.stop(logger);
      await stopped?.();
      await provider.stop();
      await database.drop();
    },
  };
}

function environment(databaseUrl: string, issuer: string, internalToken: string): Record<string, string> {
  return {
    ENVIRONMENT: 'test',
    SERVICE_INSTANCE: 'linkage-spec',
    DATABASE_URL: databaseUrl,
    KAFKA_BROKERS: localStack().kafkaBrokers.join(','),
    INTERNAL_TOKEN: internalToken,
    PUBLIC_URL: 'https://test.podium.example',
    TEST_PUBLIC_URL: 'https://test.podium.example',
    PRODUCTION_PUBLIC_URL: 'https://podium.example',
    TEST_EGRESS_ADDRESSES: '192.0.2.10',
    PRODUCTION_EGRESS_ADDRESSES: '192.0.2.20,192.0.2.21',
    OIDC_ISSUER_URL: issuer,
    OIDC_CLIENT_SECRET: 'canary-secret-of-connect',
    VAULT_KEYS: `k1:${vaultKey.toString('base64')}`,
    SESSION_KEYS: `s1:${sessionKey.toString('base64')}`,
  };
}
