import {
  address,
  allHttps,
  httpOrigins,
  https,
  inProduction,
  integer,
  internalFields,
  kafkaFields,
  networks,
  notEverybody,
  pages,
  limitsRedisFields,
  text,
} from '@podium/runtime/config';

/** The gateway's own configuration. */
export const fields = {
  ...kafkaFields,
  ...limitsRedisFields,
  ...internalFields,
  PUBLIC_URL: inProduction(
    https,
    address(['http', 'https'], {
      meaning: 'Address under which partners and users reach this gateway; services build redirects from it',
      example: 'http://localhost:7400',
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
  TRUSTED_PROXIES: inProduction(
    notEverybody,
    networks({
      meaning: 'Networks (CIDR) of proxies in front whose X-Forwarded-For is trusted, comma-separated; empty: none',
      default: '',
      example: '10.0.0.0/8',
    }),
  ),
  MAX_CONNECTIONS_PER_CLIENT: integer(
    { min: 1, max: 10_000 },
    {
      unit: 'connections',
      meaning:
        'Most open connections of one client address, or of one IPv6 network of 64 bits; addresses in TRUSTED_PROXIES have no limit',
      default: '1000',
    },
  ),
  INGESTION_URLS: httpOrigins({
    meaning:
      'Ingestion, comma-separated http addresses without a path; a name is resolved to all of its addresses every few seconds',
    example: 'http://127.0.0.1:7402',
  }),
  LINKAGE_URL: address(['http', 'https'], { meaning: 'Linkage', example: 'http://127.0.0.1:7401' }),
  ENGAGEMENT_URL: address(['http', 'https'], { meaning: 'Engagement', example: 'http://127.0.0.1:7403' }),
  COMPETITION_READ_URL: address(['http', 'https'], { meaning: 'Competition-read', example: 'http://127.0.0.1:7404' }),
  RATE_LIMIT_MIN_INSTANCES: integer(
    { min: 1, max: 100 },
    {
      unit: 'instances',
      meaning:
        'While Redis is unavailable each instance grants its share of the rate, assuming at least this many instances',
      default: '1',
    },
  ),
  DOCS_DIR: text({
    meaning: 'Folder with openapi/*.json and the built site in site/.vitepress/dist, published under /docs',
    default: 'docs',
  }),
} as const;
