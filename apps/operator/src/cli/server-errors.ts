import { errorMessage } from '@podium/runtime/errors';
import { unknownTimelineState } from '@podium/runtime/outbox';
import { isPostgresAway, isTlsFailure } from '@podium/runtime/postgres';

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

/** Remedies by SQLSTATE. */
const postgresRemedies: readonly (readonly [code: RegExp, remedy: string])[] = [
  [/^(28|3D)/, 'check user, password and database in DATABASE_URL.'],
  [/^42501$/, 'give DATABASE_URL with the role that owns the schemas.'],
  [/^(42P01|42703|42883|3F000)$/, "bring the schemas to this command's release: npm run migrate; status shows them."],
  [/^(40|53|57P0|57014|58|25006|55000)/, 'wait and try again; if the problem persists, read the log of Postgres.'],
];

/** What the work with Postgres has thrown, with a remedy if it is an error of the server or of the way to it. */
export function postgresError(error: unknown): unknown {
  const { code } = (error ?? {}) as { code?: unknown };
  // The error of a closed outbox has its own remedy.
  if (namesOf(error).length > 0 || code === unknownTimelineState) return error;
  const remedy = typeof code === 'string' ? remedyOf(code) : undefined;
  if (remedy !== undefined) return new ServerError('Postgres', error, remedy);
  return isPostgresAway(error)
    ? new ServerError('Postgres', error, 'check the address in DATABASE_URL, and that Postgres runs.')
    : error;
}

function remedyOf(code: string): string | undefined {
  if (isTlsFailure(code)) return 'check sslmode and sslrootcert in DATABASE_URL.';
  return postgresRemedies.find(([codes]) => codes.test(code))?.[1];
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

/** What a command has thrown, with a remedy if it comes from Kafka's client. */
export function kafkaError(error: unknown): unknown {
  const names = namesOf(error);
  const known = kafkaRemedies.find(([known]) => names.some((name) => known.test(name)));
  return known ? new ServerError('Kafka', error, known[1]) : error;
}

/** Names and types of an error of Kafka's client and of its causes; none for another error. */
function namesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const own = error.name.startsWith('KafkaJS') ? [error.name, (error as { type?: unknown }).type] : [];
  return [...own.filter((name) => typeof name === 'string'), ...namesOf(error.cause)];
}
