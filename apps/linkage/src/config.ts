import {
  ConfigError,
  ConfigOf,
  address,
  allHttps,
  hostPorts,
  https,
  identityFields,
  inProduction,
  integer,
  internalFields,
  kafkaFields,
  keyRing,
  leftEmpty,
  list,
  live,
  oneOf,
  pages,
  postgresFields,
  randomKeys,
  serviceFields,
  strongSecret,
  text,
} from '@podium/runtime/config';
import { Deployments } from './integrations/onboarding';

const publicAddress = ['http', 'https'];

/** The configuration of linkage, in addition to the fields of every service. */
export const linkageFields = {
  ...postgresFields,
  ...kafkaFields,
  ...internalFields,
  ...identityFields,
  PUBLIC_URL: inProduction(
    https,
    address(publicAddress, {
      meaning: 'Where users and partners reach this deployment; redirect URLs are below it',
      example: 'https://podium.example',
    }),
  ),
  FURTHER_PUBLIC_URLS: inProduction(
    allHttps,
    pages({
      meaning:
        'Addresses that reach this deployment too while its domain changes; redirects of partners to them continue at PUBLIC_URL',
      default: '',
      example: 'https://former.podium.example',
    }),
  ),
  TEST_PUBLIC_URL: inProduction(
    https,
    address(publicAddress, {
      meaning: 'Where the test deployment is reached; shown to partners',
      example: 'https://test.podium.example',
    }),
  ),
  PRODUCTION_PUBLIC_URL: inProduction(
    https,
    address(publicAddress, {
      meaning: 'Where the production deployment is reached; shown to partners',
      example: 'https://podium.example',
    }),
  ),
  TEST_EGRESS_ADDRESSES: list({
    meaning: 'Addresses the test deployment calls partners from, for their allow-lists, comma-separated',
    default: '',
    example: '192.0.2.10',
  }),
  PRODUCTION_EGRESS_ADDRESSES: list({
    meaning: 'Addresses the production deployment calls partners from, for their allow-lists, comma-separated',
    default: '',
    example: '192.0.2.20',
  }),
  OIDC_CLIENT_ID: text({
    meaning:
      'Client of the /connect pages at the identity provider; there it has the redirect URI PUBLIC_URL/connect/callback',
    default: 'podium-connect',
  }),
  OIDC_LOG_OUT: oneOf(['local', 'provider'], {
    meaning:
      'What "Log out" ends: the session of /connect alone (local), or that at the identity provider too (provider), where the ' +
      'client then needs the post-logout redirect URI PUBLIC_URL/connect',
    default: 'local',
  }),
  OIDC_CLIENT_SECRET: live(inProduction(strongSecret, text({ meaning: 'Its secret', example: 'a-long-random-text' }))),
  VAULT_KEYS: live(
    inProduction(
      randomKeys,
      keyRing({
        meaning:
          'Keys of the token vault as id:base64 of 32 bytes; the first seals, the others open until re-encryption is done',
        example: 'k1:base64-of-32-bytes',
      }),
    ),
  ),
  SESSION_KEYS: live(
    inProduction(
      randomKeys,
      keyRing({
        meaning: 'Keys of the sealed cookies of /connect as id:base64 of 32 bytes; the first seals',
        example: 's1:base64-of-32-bytes',
      }),
    ),
  ),
  PARTNER_ADDRESS_ALLOW_LIST: inProduction(
    leftEmpty,
    hostPorts({
      meaning: 'host:port of partners reached over plain http or at private addresses; host:* is every port',
      default: '',
      example: '127.0.0.1:7405',
    }),
  ),
  LINK_RETURN_URLS: inProduction(
    allHttps,
    pages({
      meaning: 'Exact addresses that a program may name as return_to of a linking flow, comma-separated',
      default: '',
      example: 'https://play.example/accounts',
    }),
  ),
  LINK_CHANGES_PER_MINUTE: integer(
    { min: 1, max: 10_000 },
    {
      unit: 'changes',
      meaning:
        'How often one user may begin to link or unlink in a minute, over all instances; as many changes at once',
      default: '60',
    },
  ),
  LINK_CHANGES_PER_DAY: integer(
    { min: 1, max: 100_000 },
    {
      unit: 'changes',
      meaning:
        'How often one user may begin to link or unlink in a day, over all instances; as many changes at once. Each link that ' +
        'has ended is read again with later events of its user',
      default: '200',
    },
  ),
} as const;

/** Connections of an instance in addition to those of users (DATABASE_POOL_SIZE). */
export const furtherPools = { callbacks: 6, operators: 3, background: 5, entities: 4 } as const;

/** The configuration of linkage as its composition root has it. */
export type LinkageConfig = ConfigOf<typeof linkageFields> & ConfigOf<typeof serviceFields>;

/** Origins of FURTHER_PUBLIC_URLS. */
export function furtherPublicUrls(config: Pick<LinkageConfig, 'FURTHER_PUBLIC_URLS'>): string[] {
  return config.FURTHER_PUBLIC_URLS.map((url) => new URL(url).origin);
}

/** Both deployments as partners see them; this one has further addresses during a change of its domain. */
export function deploymentsOf(config: LinkageConfig): Deployments {
  const further = (environment: 'test' | 'production'): string[] =>
    config.ENVIRONMENT === environment ? furtherPublicUrls(config) : [];
  return {
    test: {
      ...{ publicUrl: config.TEST_PUBLIC_URL, egressAddresses: config.TEST_EGRESS_ADDRESSES },
      furtherPublicUrls: further('test'),
    },
    production: {
      ...{ publicUrl: config.PRODUCTION_PUBLIC_URL, egressAddresses: config.PRODUCTION_EGRESS_ADDRESSES },
      furtherPublicUrls: further('production'),
    },
  };
}

/** Checks rules over several fields; throws `ConfigError`. */
export function requireSafe(config: LinkageConfig): void {
  const vaultKeys = config.VAULT_KEYS.current.map(({ key }) => key.toString('hex'));
  if (config.SESSION_KEYS.current.some(({ key }) => vaultKeys.includes(key.toString('hex'))))
    throw new ConfigError('SESSION_KEYS: a key is in VAULT_KEYS too; use different keys');
}
