import { address, brokers, integer, text } from '../../../libs/runtime/src/config';

/** Variables of the local stack itself, for `npm start` and `npm run stack`: in the environment or in `.env`. */
export const stackFields = {
  PORT_BASE: integer(
    { min: 1024, max: 65_000 },
    { unit: '(port)', meaning: 'First port of the stack', default: '7400' },
  ),
  STACK_NAME: text({
    meaning: 'Name of a further stack, with its own data in .stack/<name>',
    default: '',
    example: 'second',
  }),
  DATABASE_URL: address(['postgres', 'postgresql'], {
    meaning: 'A Postgres to use, as an administrator, instead of starting one',
    default: '',
    secret: true,
  }),
  REDIS_URL: address(['redis', 'rediss'], {
    meaning: 'A Redis to use instead of starting one',
    default: '',
    secret: true,
  }),
  KAFKA_BROKERS: brokers({
    meaning: 'Kafka brokers to use, host:port, comma-separated, instead of starting one',
    default: '',
    example: '127.0.0.1:9092',
  }),
} as const;

/** How services and tools sign in at brokers that `KAFKA_BROKERS` names; the broker of the local stack accepts all clients. */
export const brokerCredentials: readonly string[] = ['KAFKA_CA_FILE', 'KAFKA_USERNAME', 'KAFKA_PASSWORD_FILE'];
