import * as fs from 'node:fs';
import * as path from 'node:path';
import { parse } from 'yaml';
import { Fields, readConfig, serviceFields } from '../../libs/runtime/src/config';
import { services as declaredServices } from '../../tools/stack/settings/service-fields';
import { checkoutFolder } from '../../tools/stack/folders';
import { serviceEnvironment } from '../../tools/stack/service-env';
import { services as stackServices } from '../../tools/stack/services';
import { secretTemplates } from './generators/secrets';
import { ServiceName, fieldsReadBy, serviceNames } from './service-needs';
import { fieldsOf } from '../../tools/stack/settings/service-fields';
import { secretsOf } from './deployed-settings';
import { placeholderSecret } from './placeholder-secret';

type Environment = Record<string, string>;

/** What is read of a manifest. */
interface Deployment {
  readonly spec: { template: { spec: { volumes: { projected: { sources: { secret: MountedSecret }[] } }[] } } };
}

interface MountedSecret {
  readonly name: string;
  /** Which keys; all without it. */
  readonly items?: { key: string; path: string }[];
}

/** Settings of a service in the production deployment, with random values for secrets. */
function productionOf(service: ServiceName): Environment {
  const env: Environment = {
    ...linesOf(`k8s/base/${service}/config.generated.env`),
    ...linesOf('k8s/overlays/production/deployment.env'),
    SERVICE_INSTANCE: 'pod',
  };
  const templates = secretTemplates(service);
  for (const field of secretsOf(service)) {
    delete env[`${field}_FILE`];
    env[field] = placeholderSecret(fieldsOf(service)[field], templates[field]);
  }
  return env;
}

/** Settings of a service of `npm start`, with ENVIRONMENT=production. */
function localOf(service: ServiceName): Environment {
  const row = stackServices.find(({ name }) => name === service);
  if (!row) throw new Error(`the local stack has no ${service}`);
  const key = (fill: number): string => `k${fill}:${Buffer.alloc(32, fill).toString('base64')}`;
  const instance = { name: `${service}-1`, host: '127.0.0.1', port: 7400, healthPort: 7410 };
  const local = serviceEnvironment(row, instance, {
    addresses: {
      database_url: 'postgres://podium_admin:development@127.0.0.1:7420/podium',
      redis_url: 'redis://127.0.0.1:7421',
      kafka_brokers: '127.0.0.1:7422',
    },
    secrets: {
      postgresPassword: 'development',
      rolePasswords: { linkage: 'd', ingestion: 'd', engagement: 'd', 'competition-read': 'd' },
      internalToken: 'development-internal-token',
      oidcClientSecret: 'development-oidc-client-secret',
      vaultKeys: key(1),
      sessionKeys: key(2),
    },
    urls: {
      gateway: ['http://127.0.0.1:7400'],
      linkage: ['http://127.0.0.1:7401'],
      ingestion: ['http://127.0.0.1:7402'],
      engagement: ['http://127.0.0.1:7403'],
      'competition-read': ['http://127.0.0.1:7404'],
      sandbox: ['http://127.0.0.1:7405'],
    },
    dataFolder: '.stack/data',
  });
  return { ...local, ENVIRONMENT: 'production' };
}

/** Settings of a service of docker compose, with ENVIRONMENT=production. */
function composeOf(service: ServiceName): Environment {
  return { ...composeServices()[service].environment, ENVIRONMENT: 'production' };
}

function composeServices(): Record<string, { environment: Environment; ports?: readonly string[] }> {
  const text = fs.readFileSync(inCheckout('docker-compose.yml'), 'utf8');
  return (parse(text, { merge: true }) as { services: ReturnType<typeof composeServices> }).services;
}

const kafka = ['KAFKA_CA_FILE', 'KAFKA_USERNAME', 'KAFKA_PASSWORD_FILE'];
const identity = ['OIDC_ISSUER_URL'];

/** Unsafe fields in each service's settings for development. */
const unsafeInDevelopment: Record<ServiceName, readonly string[]> = {
  gateway: [...kafka, 'LIMITS_REDIS_URL', 'REDIS_CA_FILE', 'INTERNAL_TOKEN', 'PUBLIC_URL'],
  linkage: [
    ...[...kafka, ...identity, 'DATABASE_URL', 'INTERNAL_TOKEN', 'PUBLIC_URL', 'TEST_PUBLIC_URL'],
    ...['OIDC_CLIENT_SECRET', 'VAULT_KEYS', 'SESSION_KEYS', 'PARTNER_ADDRESS_ALLOW_LIST'],
  ],
  ingestion: [...kafka, ...identity, 'MARKS_REDIS_URL', 'REDIS_CA_FILE', 'DATABASE_URL', 'INTERNAL_TOKEN'],
  engagement: [...kafka, ...identity, 'DATABASE_URL', 'INTERNAL_TOKEN'],
  'competition-read': [...kafka, 'DATABASE_URL', 'INTERNAL_TOKEN'],
};

describe.each(serviceNames)('%s', (service) => {
  const fields = fieldsOf(service);

  it('accepts the settings of the production deployment', () => {
    expect(readConfig(fields, productionOf(service))).toMatchObject({ ENVIRONMENT: 'production' });
  });

  it.each([
    ['npm start', localOf],
    ['docker compose', composeOf],
  ])('refuses those of %s in production, each by name', (_name, environmentOf) => {
    const refused = unsafeIn(refusal(fields, environmentOf(service)));
    expect(refused.sort()).toEqual([...unsafeInDevelopment[service]].sort());
  });

  it('refuses each of them alone, when all others are safe', () => {
    const development = composeOf(service);
    for (const name of unsafeInDevelopment[service]) {
      const env = { ...productionOf(service), [name]: development[name] ?? '' };
      expect(unsafeIn(refusal(fields, env))).toEqual([name]);
    }
  });

  it('has a rule for every field that can be unsafe', () => {
    const named = /URL|URLS|SECRET|KEYS|TOKEN|PASSWORD_FILE|CA_FILE|ALLOW_LIST|PROXIES/;
    // Addresses inside the cluster, where network policies apply.
    const inside = /^(INGESTION_URLS|LINKAGE_URL|ENGAGEMENT_URL|COMPETITION_READ_URL)$/;
    const without = Object.entries(fields).filter(([name, { production }]) => named.test(name) && !production);
    expect(without.map(([name]) => name).filter((name) => !inside.test(name))).toEqual([]);
  });
});

describe('the projector of competition data', () => {
  const file = 'k8s/base/competition-read-projector/deployment.yaml';
  const { volumes } = (parse(fs.readFileSync(inCheckout(file), 'utf8')) as Deployment).spec.template.spec;
  const mounted = volumes.flatMap(({ projected }) => projected.sources.map(({ secret }) => secret));
  const fields = fieldsReadBy('competition-read-projector');
  const own = mounted.find(({ name }) => name === 'competition-read-secrets')?.items ?? [];

  it('has of the secrets of competition-read those that it declares, and starts with them', () => {
    const declared = Object.entries(fields).filter(([, { secret }]) => secret);
    expect(own.map(({ key }) => key)).toEqual(declared.map(([name]) => name));
    const env = Object.entries(productionOf('competition-read'));
    const given = Object.fromEntries(env.filter(([name]) => own.some(({ key }) => key === name) || !isSecret(name)));
    expect(readConfig(fields, given)).not.toHaveProperty('INTERNAL_TOKEN');
    expect(refusal(fieldsOf('competition-read'), given)).toMatch(/^Configuration: INTERNAL_TOKEN is required/);
  });

  function isSecret(name: string): boolean {
    return secretsOf('competition-read').includes(name);
  }
});

it('docker compose opens its ports to this machine alone: its secrets are known, and its sandbox issues tokens to any caller', () => {
  const ports = Object.values(composeServices()).flatMap((service) => service.ports ?? []);
  expect(ports.length).toBeGreaterThan(2);
  expect(ports.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
});

it('the sandbox runs in no production deployment', () => {
  const sandbox = declaredServices.find((row) => row.service === 'sandbox');
  const fields = { ...(serviceFields as Fields), ...sandbox?.fields };
  const env = { PUBLIC_URL: 'https://a.example', OIDC_CLIENT_SECRET: 'x', SERVICE_INSTANCE: 'x' };
  expect(() => readConfig(fields, { ...env, ENVIRONMENT: 'test' })).not.toThrow();
  expect(refusal(fields, { ...env, ENVIRONMENT: 'production' })).toMatch(
    /^Configuration: ENVIRONMENT must be one of test/,
  );
});

function refusal(fields: Fields, env: Environment): string {
  try {
    readConfig(fields, env);
  } catch (error) {
    return (error as Error).message;
  }
  return '';
}

/** Names of the fields that a refusal calls unsafe. */
function unsafeIn(message: string): string[] {
  return [...message.matchAll(/([A-Z_]+) is unsafe: in production it must/g)].map(([, name]) => name);
}

function linesOf(file: string): Environment {
  const lines = fs.readFileSync(inCheckout(file), 'utf8').split('\n');
  const pairs = lines.filter((line) => /^[A-Z]/.test(line)).map((line) => [line, line.indexOf('=')] as const);
  return Object.fromEntries(pairs.map(([line, at]) => [line.slice(0, at), line.slice(at + 1)]));
}

function inCheckout(file: string): string {
  return path.join(checkoutFolder, file);
}
