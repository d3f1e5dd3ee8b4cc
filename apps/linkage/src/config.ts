import {
  ConfigError,
  ConfigOf,
  address,
  allHttps,
  hostPorts,
  https,
  identityFields,
  inProduction,
  internalFields,
  kafkaFields,
  keyRing,
  leftEmpty,
  list,
  live,
  pages,
  postgresFields,
  randomKeys,
  serviceFields,
  strongSecret,
  text,
} from '@podium/runtime/config';

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
  OIDC_CLIENT_ID: text({ meaning: 'Client of the /connect pages at the identity provider', default: 'podium-connect' }),
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
      meaning: 'host:port of partners reached over plain http or at private addresses',
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
} as const;

/** Connections of an instance in addition to those of users (DATABASE_POOL_SIZE). */
export const furtherPools = { callbacks: 6, operators: 3, background: 5, entities: 4 } as const;

/** The configuration of linkage as its composition root has it. */
export type LinkageConfig = ConfigOf<typeof linkageFields> & ConfigOf<typeof serviceFields>;

/** Checks rules over several fields; throws `ConfigError`. */
export function requireSafe(config: LinkageConfig): void {
  const vaultKeys = config.VAULT_KEYS.current.map(({ key }) => key.toString('hex'));
  if (config.SESSION_KEYS.current.some(({ key }) => vaultKeys.includes(key.toString('hex'))))
    throw new ConfigError('SESSION_KEYS: a key is in VAULT_KEYS too; use different keys');
}
