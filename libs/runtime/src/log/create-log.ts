import { Logger, pino } from 'pino';
import { redaction } from './redaction';

export type { Logger } from 'pino';

/** The process's JSON log: one line per unit of work, times in ISO 8601, no bodies, no secrets (see `redaction.ts`). */
export function createLog(options: {
  service: string;
  instance: string;
  level: string;
  /** Additional fields of every line, read for each. */
  fields?: () => object;
}): Logger {
  return pino({
    level: options.level,
    base: { service: options.service, instance: options.instance },
    timestamp: pino.stdTimeFunctions.isoTime,
    mixin: options.fields,
    redact: redaction,
    formatters: { level: (label) => ({ level: label }) },
  });
}
