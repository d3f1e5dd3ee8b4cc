import { address, brokers, integer, oneOf, optional, share, text, tokens } from './fields';
import { live } from './live-secret';
import {
  encryptedRedis,
  given,
  https,
  httpsIfGiven,
  inProduction,
  strongTokens,
  verifiedPostgres,
} from './production-rules';

/** Fields that every service has. */
export const serviceFields = {
  ENVIRONMENT: oneOf(['test', 'production'], {
    meaning: 'Which deployment this is; keys of the other one are refused',
    example: 'test',
  }),
  SERVICE_INSTANCE: text({
    meaning: 'Name of this instance, unique among those alive; names its own consumer groups',
    example: 'gateway-1',
  }),
  HTTP_HOST: text({
    meaning: 'Address that both ports bind to; :: accepts IPv6 and IPv4, where the system has IPv6',
    default: '0.0.0.0',
  }),
  HTTP_PORT: integer({ min: 1, max: 65535 }, { unit: '(port)', meaning: 'Port of the service', default: '8080' }),
  HEALTH_PORT: integer(
    { min: 1, max: 65535 },
    { unit: '(port)', meaning: 'Port of health and metrics, never public', default: '9090' },
  ),
  LOG_LEVEL: oneOf(['trace', 'debug', 'info', 'warn', 'error'], {
    meaning: 'Least severe level logged',
    default: 'info',
  }),
  DRAIN_SECONDS: integer(
    { min: 0, max: 600 },
    { unit: 's', meaning: 'How long serving goes on after readiness fails at a stop', default: '10' },
  ),
  STOP_SECONDS: integer(
    { min: 1, max: 600 },
    { unit: 's', meaning: 'Bound on all that follows the drain; then the process ends with an error', default: '25' },
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(
    address(['http', 'https'], {
      meaning: 'Base address of the collector of traces (OTLP over HTTP, JSON), without /v1/traces; empty: no tracing',
      example: 'http://collector.monitoring.svc:4318',
    }),
  ),
  OTEL_TRACES_SAMPLER_ARG: share({
    meaning: 'Share of requests that the gateway begins a sampled trace for, 0 to 1; the other services follow it',
    default: '0.01',
  }),
} as const;

/** Kafka. */
export const kafkaFields = {
  KAFKA_BROKERS: brokers({ meaning: 'Bootstrap brokers, host:port, comma-separated', example: '127.0.0.1:9092' }),
  KAFKA_CA_FILE: inProduction(
    given,
    text({
      meaning: 'File with the authority of the brokers, read at each connection; empty: no TLS',
      default: '',
      example: '/run/podium/kafka-ca.crt',
    }),
  ),
  KAFKA_USERNAME: inProduction(
    given,
    text({
      meaning: 'User of this service at the brokers (SCRAM-SHA-512); empty: none',
      default: '',
      example: 'gateway',
    }),
  ),
  KAFKA_PASSWORD_FILE: inProduction(
    given,
    text({
      meaning: "File with that user's password, read at each connection",
      default: '',
      example: '/run/podium/kafka-password',
    }),
  ),
} as const;

/** Redis of rates: its memory must not fill up with other data, because a full one refuses new rates. */
export const limitsRedisFields = {
  LIMITS_REDIS_URL: redisAddress('rates; it keeps what it has (noeviction)'),
  REDIS_CA_FILE: redisAuthority(),
} as const;

/** Redis of marks of handled events, which it may evict. */
export const marksRedisFields = {
  MARKS_REDIS_URL: redisAddress('marks of handled events; it forgets the oldest when it is full (allkeys-lru)'),
  REDIS_CA_FILE: redisAuthority(),
} as const;

/** Postgres. */
export const postgresFields = {
  DATABASE_URL: live(
    inProduction(
      verifiedPostgres,
      address(['postgres', 'postgresql'], {
        meaning: "Postgres with this service's own role, re-read at each new connection",
        example: 'postgres://podium_linkage:password@127.0.0.1:5432/podium',
        secret: true,
      }),
    ),
  ),
  DATABASE_POOL_SIZE: integer(
    { min: 1, max: 200 },
    { unit: 'connections', meaning: 'Most connections of this instance', default: '10' },
  ),
} as const;

/** How a service authenticates the gateway. */
export const internalFields = {
  INTERNAL_TOKEN: live(
    inProduction(
      strongTokens,
      tokens({
        meaning: "Secret that marks a request as the gateway's own; two, comma-separated, during a rotation",
        example: 'a-long-random-text',
      }),
    ),
  ),
} as const;

/** Tokens of the service's own identity provider, for services that verify them. */
export const identityFields = {
  OIDC_ISSUER_URL: inProduction(
    https,
    address(['http', 'https'], {
      meaning: "The service's own identity provider, whose tokens of users and operators are accepted",
      example: 'https://id.podium.example',
    }),
  ),
  OIDC_JWKS_URL: inProduction(
    httpsIfGiven,
    optional(
      address(['http', 'https'], {
        meaning: 'Where its keys are; empty: where its discovery document says, as OpenID Connect has it',
        example: 'https://id.podium.example/jwks',
      }),
    ),
  ),
  OIDC_AUDIENCE: text({ meaning: 'Audience that tokens for this API carry', default: 'podium-api' }),
} as const;

function redisAddress(holds: string) {
  return live(
    inProduction(
      encryptedRedis,
      address(['redis', 'rediss'], {
        meaning: `Redis of ${holds}. User and password are read again at each connection, the host at a restart`,
        example: 'redis://127.0.0.1:6379',
        secret: true,
      }),
    ),
  );
}

function redisAuthority() {
  return inProduction(
    given,
    text({
      meaning: 'File with the authority of a Redis with TLS, read at each connection; empty: the public authorities',
      default: '',
      example: '/run/podium/redis-ca.crt',
    }),
  );
}
