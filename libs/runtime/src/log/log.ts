import { Logger, pino } from 'pino';

export type { Logger } from 'pino';

/** Paths that never reach a log, whatever a call site passes. */
const secretPaths = [
  'authorization',
  'cookie',
  'access_token',
  'refresh_token',
  'client_secret',
  'code',
  'key',
  'token',
  'password',
].flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);

/** The process's JSON log: one wide line per unit of work, times in ISO 8601, no bodies, no secrets (V8). */
export function createLog(options: {
  service: string;
  instance: string;
  level: string;
  /** What every line says beside its own fields, asked at each. */
  fields?: () => object;
}): Logger {
  return pino({
    level: options.level,
    base: { service: options.service, instance: options.instance },
    timestamp: pino.stdTimeFunctions.isoTime,
    mixin: options.fields,
    redact: { paths: secretPaths, censor: '(redacted)' },
    formatters: { level: (label) => ({ level: label }) },
  });
}
