import { migrationSession } from '@podium/runtime/postgres';
import { GeneratedFile } from '../../../tools/generate/generators/generated-file';
import { RedisServer, ServiceName, redisServers, serviceNames, services } from '../service-needs';
import { credentialsFolder, secretsOf } from '../deployed-settings';
import { Manifest, partOfPodium, yamlFile } from './yaml-file';

/** A secret in the secret store: an entry and a property of it. */
interface KeptSecret {
  readonly entry: string;
  readonly property: string;
}

/** How to build the text of a field; a template gets the stored secret as `.value`. */
interface SecretSource extends KeptSecret {
  readonly template?: string;
}

const postgresSources = [...serviceNames.filter(hasPostgres), 'migrations'] as const;

/** ExternalSecrets of each service from its declared secret fields, of migrations, and of the database's roles. */
export function secrets(): GeneratedFile[] {
  return [
    yamlFile(
      'k8s/components/external-secrets/secrets.generated.yaml',
      'the secret fields that services declare and k8s/tooling/generators/secrets.ts',
      [
        ...serviceNames.map((service) =>
          externalSecret(
            `${service}-secrets`,
            Object.fromEntries(secretsOf(service).map((field) => [field, sourceOf(service, field)])),
          ),
        ),
        // Directly to the primary: the pooler would drop the settings of the session.
        externalSecret('migrations-secrets', {
          DATABASE_URL: databaseUrl('migrations', 'podium-postgres-rw', `&options=${sessionOptions()}`),
        }),
        externalSecret('postgres-backups', {
          ACCESS_KEY_ID: { entry: 'backups', property: 'access_key_id' },
          SECRET_ACCESS_KEY: { entry: 'backups', property: 'secret_access_key' },
        }),
      ],
    ),
    yamlFile(
      'k8s/components/cnpg/role-secrets.generated.yaml',
      'k8s/tooling/service-needs.ts',
      postgresSources.map(roleSecret),
    ),
    yamlFile(
      'k8s/components/redis/users.generated.yaml',
      'k8s/tooling/service-needs.ts',
      redisServers.map(redisUsersSecret),
    ),
  ];
}

/** The text of each secret field of a service, with `{{ .FIELD }}` in place of the stored value. */
export function secretTemplates(service: ServiceName): Record<string, string> {
  const sources = secretsOf(service).map((field) => [field, sourceOf(service, field)] as const);
  return Object.fromEntries(sources.map(([field, source]) => [field, templateOf(field, source)]));
}

/** Users of a Redis in the format of its ACL file; `hashOf` returns the SHA-256 of a user's password, or a template for it. */
export function redisAclFile(server: RedisServer, hashOf: (service: ServiceName) => string): string {
  const users = services.flatMap(({ name, redis }) =>
    redis?.server === server
      ? [
          `user ${redisUser(name)} on #${hashOf(name)} ${redis.keyPatterns.map((pattern) => `~${pattern}`).join(' ')} resetchannels -@all ${redis.commands.map((command) => `+${command}`).join(' ')}`,
        ]
      : [],
  );
  return `user default off\n${users.join('\n')}\n`;
}

/** The name of a service's user in Redis. */
export function redisUser(service: ServiceName): string {
  return `podium_${service.replaceAll('-', '_')}`;
}

function hasPostgres(service: ServiceName): boolean {
  return services.some(({ name, furtherConnections }) => name === service && furtherConnections !== undefined);
}

function postgresRole(owner: string): string {
  return `podium_${owner.replaceAll('-', '_')}`;
}

function sourceOf(service: ServiceName, field: string): SecretSource {
  if (field === 'DATABASE_URL') return databaseUrl(service, 'podium-postgres-pooler', '');
  const redis = redisServers.find((server) => field === redisField(server));
  if (redis !== undefined)
    return {
      entry: 'redis',
      property: service,
      template: `rediss://${redisUser(service)}:{{ .value | urlquery }}@redis-${redis}:6379/0`,
    };
  // Secrets that several services share are stored once.
  const entry = field === 'INTERNAL_TOKEN' ? 'shared' : service;
  return { entry, property: field.toLowerCase() };
}

function databaseUrl(owner: string, host: string, more: string): SecretSource {
  const authority = `sslmode=verify-full&sslrootcert=${credentialsFolder}/postgres-ca.crt`;
  return {
    entry: 'postgres',
    property: owner,
    template: `postgres://${postgresRole(owner)}:{{ .value | urlquery }}@${host}:5432/podium?${authority}${more}`,
  };
}

function sessionOptions(): string {
  const settings = Object.entries(migrationSession).map(([name, value]) => `-c ${name}=${value}`);
  return encodeURIComponent(settings.join(' '));
}

function externalSecret(name: string, fields: Readonly<Record<string, SecretSource>>): Manifest {
  const own = Object.entries(fields).map(([field, source]) => [field, templateOf(field, source)]);
  return manifest(name, {
    target: { name, template: { engineVersion: 'v2', data: Object.fromEntries(own) } },
    data: Object.entries(fields).map(([field, stored]) => remote(field, stored)),
  });
}

function templateOf(field: string, { template = '{{ .value }}' }: SecretSource): string {
  return template.replace('.value', `.${field}`);
}

function roleSecret(owner: string): Manifest {
  const name = `postgres-${owner}`;
  return manifest(name, {
    target: {
      name,
      template: {
        engineVersion: 'v2',
        type: 'kubernetes.io/basic-auth',
        // The operator sets a new password as soon as the secret changes.
        metadata: { labels: { 'cnpg.io/reload': 'true' } },
        data: { username: postgresRole(owner), password: '{{ .password }}' },
      },
    },
    data: [remote('password', { entry: 'postgres', property: owner })],
  });
}

function redisField(server: RedisServer): string {
  return `${server.toUpperCase()}_REDIS_URL`;
}

function redisUsersSecret(server: RedisServer): Manifest {
  const users = services.filter(({ redis }) => redis?.server === server).map(({ name }) => name);
  const variable = (service: ServiceName): string => service.replaceAll('-', '_');
  return manifest(`redis-${server}-users`, {
    target: {
      name: `redis-${server}-users`,
      template: {
        engineVersion: 'v2',
        data: { 'users.acl': redisAclFile(server, (service) => `{{ .${variable(service)} | sha256sum }}`) },
      },
    },
    data: users.map((service) => remote(variable(service), { entry: 'redis', property: service })),
  });
}

function remote(secretKey: string, { entry, property }: KeptSecret): object {
  return { secretKey, remoteRef: { key: entry, property } };
}

function manifest(name: string, spec: Readonly<Record<string, unknown>>): Manifest {
  return {
    apiVersion: 'external-secrets.io/v1',
    kind: 'ExternalSecret',
    metadata: { name, labels: partOfPodium },
    spec: { refreshInterval: '5m0s', secretStoreRef: { kind: 'SecretStore', name: 'podium' }, ...spec },
  };
}
