import { DestinationStream, Logger, pino } from 'pino';
import { formatters, serializers } from './redaction';
import { StandardOutput } from './standard-output';

export type { Logger } from 'pino';

/** The process's JSON log: one line per unit of work, times in ISO 8601, no bodies, no secrets (see `redaction.ts`). */
export function createLog(
  options: {
    service: string;
    instance: string;
    level: string;
    /** Additional fields of every line, read for each. */
    fields?: () => object;
  },
  /** Default: standard output. */
  destination?: DestinationStream,
): Logger {
  const pinoOptions = {
    level: options.level,
    base: { service: options.service, instance: options.instance },
    timestamp: pino.stdTimeFunctions.isoTime,
    mixin: options.fields,
    formatters: { ...formatters, level: (label: string) => ({ level: label }) },
    serializers,
  };
  const message = 'lines of the log were lost, because standard output took none';
  const log: Logger = pino(
    pinoOptions,
    destination ?? new StandardOutput((lines) => void log.warn({ lines }, message)),
  );
  return log;
}
