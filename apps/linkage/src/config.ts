import {
  ConfigError,
  ConfigOf,
  address,
  hostAndPort,
  httpAddress,
  internalFields,
  kafkaFields,
  keyRing,
  list,
  live,
  postgresFields,
  serviceFields,
  text,
} from '@podium/runtime/config';

const publicAddress = ['http', 'https'];

/** What linkage needs beside the fields of every service. */
export const linkageFields = {
  ...postgresFields,
  ...kafkaFields,
  ...internalFields,
  PUBLIC_URL: address(publicAddress, {
    meaning: 'Where users and partners reach this deployment; redirect URLs are below it',
    example: 'https://podium.example',
  }),
  TEST_PUBLIC_URL: address(publicAddress, {
    meaning: 'Where the test deployment is reached; shown to partners',
    example: 'https://test.podium.example',
  }),
  PRODUCTION_PUBLIC_URL: address(publicAddress, {
    meaning: 'Where the production deployment is reached; shown to partners',
    example: 'https://podium.example',
  }),
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
  OIDC_ISSUER_URL: address(publicAddress, {
    meaning: "The service's own identity provider, for users and operators",
    example: 'https://id.podium.example',
  }),
  OIDC_CLIENT_ID: text({ meaning: 'Client of the /connect pages at the identity provider', default: 'podium-connect' }),
  OIDC_CLIENT_SECRET: live(text({ meaning: 'Its secret', example: 'a-long-random-text' })),
  OIDC_AUDIENCE: text({ meaning: 'Audience that tokens for this API carry', default: 'podium-api' }),
  VAULT_KEYS: live(
    keyRing({
      meaning:
        'Keys of the token vault as id:base64 of 32 bytes; the first seals, the others open until re-encryption is done',
      example: 'k1:base64-of-32-bytes',
    }),
  ),
  SESSION_KEYS: live(
    keyRing({
      meaning: 'Keys of the sealed cookies of /connect as id:base64 of 32 bytes; the first seals',
      example: 's1:base64-of-32-bytes',
    }),
  ),
  PARTNER_ADDRESS_ALLOW_LIST: list(
    {
      meaning: 'host:port of partners reached over plain http or at private addresses; empty in production',
      default: '',
      example: '127.0.0.1:7405',
    },
    hostAndPort,
  ),
  LINK_RETURN_URLS: list(
    {
      meaning: 'Exact addresses that a program may name as return_to of a linking flow, comma-separated',
      default: '',
      example: 'https://play.example/accounts',
    },
    httpAddress,
  ),
} as const;

/** Connections of an instance beside those of users (DATABASE_POOL_SIZE). */
export const furtherPools = { callbacks: 6, operators: 3, background: 5, entities: 4 } as const;

/** The configuration of linkage as its composition root has it. */
export type LinkageConfig = ConfigOf<typeof linkageFields> & ConfigOf<typeof serviceFields>;

/** Checks what no single field can know; throws `ConfigError`. */
export function requireSafe(config: LinkageConfig): void {
  if (config.ENVIRONMENT === 'production' && config.PARTNER_ADDRESS_ALLOW_LIST.length > 0)
    throw new ConfigError('PARTNER_ADDRESS_ALLOW_LIST must be empty when ENVIRONMENT=production');
}
