import { StackAddresses } from './infrastructure';
import { StackSecrets } from './secrets';
import { ProcessName, ServiceRow } from './services';

/** Where the instances of each process listen: their addresses, first instance first. */
export type ServiceUrls = Readonly<Partial<Record<ProcessName, readonly string[]>>>;

/** Input for the environment of a service. */
export interface ServiceEnvironmentInput {
  readonly addresses: StackAddresses;
  readonly secrets: StackSecrets;
  readonly urls: ServiceUrls;
  /** What an instance of competition-read does; the projector applies changes in any case. */
  readonly competitionReadParts?: 'reads-and-changes' | 'reads';
  /** A folder that outlives the run. */
  readonly dataFolder: string;
}

/** The environment of one instance; a service reads of it only what it declares. */
export function serviceEnvironment(
  row: ServiceRow,
  instance: { name: string; host: string; port: number; healthPort: number },
  { addresses, secrets, urls, competitionReadParts = 'reads', dataFolder }: ServiceEnvironmentInput,
): Record<string, string> {
  const first = (app: ProcessName): string => urls[app]?.[0] ?? '';
  const sandbox = first('sandbox');
  return {
    ENVIRONMENT: 'test',
    SERVICE_INSTANCE: instance.name,
    HTTP_HOST: instance.host,
    HTTP_PORT: `${instance.port}`,
    HEALTH_PORT: `${instance.healthPort}`,
    LOG_LEVEL: 'info',
    DRAIN_SECONDS: '0',
    STOP_SECONDS: '18',
    KAFKA_BROKERS: addresses.kafka_brokers,
    // One server for both: neither fills it locally.
    LIMITS_REDIS_URL: addresses.redis_url,
    MARKS_REDIS_URL: addresses.redis_url,
    ...(row.usesPostgres && { DATABASE_URL: roleUrl(addresses.database_url, row, secrets) }),
    INTERNAL_TOKEN: secrets.internalToken,
    PUBLIC_URL: first('gateway'),
    OIDC_ISSUER_URL: `${sandbox}/idp`,
    OIDC_CLIENT_ID: 'podium-connect',
    OIDC_LOG_OUT: 'provider',
    OIDC_CLIENT_SECRET: secrets.oidcClientSecret,
    OIDC_AUDIENCE: 'podium-api',
    INGESTION_URLS: (urls.ingestion ?? []).join(','),
    LINKAGE_URL: first('linkage'),
    ENGAGEMENT_URL: first('engagement'),
    COMPETITION_READ_URL: first('competition-read'),
    COMPETITION_READ_PARTS: row.name === 'competition-read-projector' ? 'changes' : competitionReadParts,
    VAULT_KEYS: secrets.vaultKeys,
    SESSION_KEYS: secrets.sessionKeys,
    // Developers run partners' servers on this machine, at any port.
    PARTNER_ADDRESS_ALLOW_LIST: sandbox && [new URL(sandbox).host, '127.0.0.1:*', 'localhost:*'].join(','),
    TEST_PUBLIC_URL: first('gateway'),
    TEST_EGRESS_ADDRESSES: '127.0.0.1',
    // A local stack is a test deployment; the address of its production counterpart is only shown.
    PRODUCTION_PUBLIC_URL: 'https://podium.example',
    RATE_LIMIT_MIN_INSTANCES: '1',
    SANDBOX_URL: sandbox,
    SANDBOX_DATA_DIR: dataFolder,
  };
}

/** The address of the database with the service's own role. */
function roleUrl(adminUrl: string, row: ServiceRow, secrets: StackSecrets): string {
  if (row.app === 'gateway' || row.app === 'sandbox') throw new Error(`${row.app} has no database role`);
  const url = new URL(adminUrl);
  url.username = `podium_${row.app.replaceAll('-', '_')}`;
  url.password = secrets.rolePasswords[row.app];
  return url.href;
}
