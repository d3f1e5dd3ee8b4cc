import { errorMessage } from '@podium/runtime/errors';
import { unknownTimelineState } from '@podium/runtime/outbox';
import { isPostgresAway } from '@podium/runtime/postgres';

/** An error of Kafka or Postgres, whose client names neither the server nor what to check. */
export class ServerError extends Error {
  constructor(
    server: 'Kafka' | 'Postgres',
    cause: unknown,
    /** A sentence on what the operator can do. */
    readonly remedy: string,
  ) {
    super(`${server}: ${errorMessage(cause)}`, { cause });
  }
}

/** Remedies by SQLSTATE, and by codes of the network and of TLS, which are last. */
const postgresRemedies: readonly (readonly [code: RegExp, remedy: string])[] = [
  [/^(28|3D)/, 'check user, password and database in DATABASE_URL.'],
  [/^42501$/, 'give DATABASE_URL with the role that owns the schemas.'],
  [/^(42P01|42703|42883|3F000)$/, "bring the schemas to this command's release: npm run migrate; status shows them."],
  [/^(40|53|57P0|57014|58|25006|55000)/, 'wait and try again; if the problem persists, read the log of Postgres.'],
  [/^(CERT_|DEPTH_ZERO_|ERR_TLS_|HOSTNAME_|SELF_SIGNED_|UNABLE_TO_)/, 'check sslmode and sslrootcert in DATABASE_URL.'],
];

/** What the work with Postgres has thrown, with a remedy if it is an error of the server or of the way to it. */
export function postgresError(error: unknown): unknown {
  const { code } = (error ?? {}) as { code?: unknown };
  // The error of a closed outbox has its own remedy.
  if (namesOf(error).length > 0 || code === unknownTimelineState) return error;
  const known = typeof code === 'string' ? postgresRemedies.find(([codes]) => codes.test(code)) : undefined;
  if (known) return new ServerError('Postgres', error, known[1]);
  return isPostgresAway(error)
    ? new ServerError('Postgres', error, 'check the address in DATABASE_URL, and that Postgres runs.')
    : error;
}

/** Remedies by the names and types of the errors of Kafka's client. */
const kafkaRemedies: readonly (readonly [names: RegExp, remedy: string])[] = [
  [/SASL/, 'check KAFKA_USERNAME and the file of KAFKA_PASSWORD_FILE.'],
  [/AUTHORIZATION_FAILED/, 'give a user who has this right, such as operators, by KAFKA_USERNAME.'],
  [/^UNKNOWN_TOPIC/, 'create the topics of this release: npm run topics; status shows which are missing.'],
  [
    /Connection|BrokerNotFound|NoBroker|Timeout|MetadataNotLoaded|Retries/,
    'check --brokers or KAFKA_BROKERS, and that Kafka runs; brokers with TLS need KAFKA_CA_FILE.',
  ],
];

/** The message without a name of its own with which the client ends a connection to a server that is no broker. */
const notConnected = 'Broker not connected';

/** What a command has thrown, with a remedy if it comes from Kafka's client. */
export function kafkaError(error: unknown): unknown {
  const names = namesOf(error);
  const known = kafkaRemedies.find(([known]) => names.some((name) => known.test(name)));
  return known ? new ServerError('Kafka', error, known[1]) : error;
}

/** Names and types of an error of Kafka's client and of its causes; none for another error. */
function namesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  if (error.message === notConnected) return ['KafkaJSConnectionError'];
  const own = error.name.startsWith('KafkaJS') ? [error.name, (error as { type?: unknown }).type] : [];
  return [...own.filter((name) => typeof name === 'string'), ...namesOf(error.cause)];
}
