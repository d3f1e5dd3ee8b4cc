import { stdSerializers } from 'pino';

/** Fields whose values are never logged, whatever a call site passes. */
const secretFields: ReadonlySet<string> = new Set([
  'authorization',
  'cookie',
  'access_token',
  'refresh_token',
  'client_secret',
  'code',
  'key',
  'token',
  'password',
]);

/**
 * Fields of errors with values of rows: Postgres' detail and place of an error ("Failing row contains …"), and the values that
 * TypeORM gave to a statement. They are bodies of requests and records; the names of table, column and constraint remain.
 */
const rowFields: ReadonlySet<string> = new Set([...secretFields, 'detail', 'where', 'parameters']);

const censor = '(redacted)';

/** An error's own fields are on the second level, those of a request that it describes on the third and fourth. */
const levels = 4;

/**
 * Log redaction as a formatter of pino: secret fields on any level down to the fourth. Bodies of requests and records are not
 * logged at all (V8). pino's own redaction copies each line and walks it once for each path, which takes ten times as long
 * as writing it.
 */
export const formatters = {
  log: (fields: Record<string, unknown>): Record<string, unknown> => redacted(fields, levels),
};

/**
 * Serializers of pino. Formatters do not see the fields of child loggers; serializers do. Errors are written with type, message
 * and stack; their `code` is that of Node, Postgres or our catalogue, and is shown.
 */
export const serializers = {
  ...Object.fromEntries([...secretFields].map((name) => [name, () => censor])),
  err: (error: Error): object => {
    const { code, ...fields } = stdSerializers.err(error) as Readonly<Record<string, unknown>>;
    const shown = redacted(fields, levels - 1, rowFields);
    return { ...shown, ...(['string', 'number'].includes(typeof code) ? { code } : {}) };
  },
};

/** The value itself where it has no hidden fields, else a copy without their values. */
function redacted<T extends object>(value: T, depth: number, hidden = secretFields): T {
  const fields = value as Record<string, unknown>;
  let copy: Record<string, unknown> | undefined;
  for (const name of Object.keys(fields)) {
    const field = fields[name];
    const shown = hidden.has(name) ? censor : depth > 1 ? redactedField(name, field, depth - 1, hidden) : field;
    if (shown === field) continue;
    copy ??= (Array.isArray(value) ? [...(value as unknown[])] : { ...value }) as Record<string, unknown>;
    copy[name] = shown;
  }
  return (copy ?? value) as T;
}

function redactedField(name: string, field: unknown, depth: number, hidden: ReadonlySet<string>): unknown {
  // pino gives `err` to its serializer, which needs the error itself.
  if (typeof field !== 'object' || field === null || (name === 'err' && field instanceof Error)) return field;
  // What is written is what `toJSON` returns: a copy would have other fields.
  const written = 'toJSON' in field && typeof field.toJSON === 'function' ? (field.toJSON() as unknown) : field;
  return typeof written === 'object' && written !== null ? redacted(written, depth, hidden) : field;
}
