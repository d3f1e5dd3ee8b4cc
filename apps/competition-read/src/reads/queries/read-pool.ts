import { Live } from '@podium/runtime/config';
import { Logger } from '@podium/runtime/log';
import { Registry } from '@podium/runtime/metrics';
import { Pool, createPool } from '@podium/runtime/postgres';
import { statementTimeoutMs } from './statement-timeout';

/**
 * The connections of reads. Every read scans an index in order and stops early. The settings exclude other plans: one that
 * was cached with its prepared statement while a table was small would scan the whole table after it has grown.
 */
export function createReadPool(
  options: { url: string | Live<string>; size: number },
  logger: Logger,
  registry: Registry,
): Pool {
  return createPool(
    {
      ...options,
      service: 'competition-read',
      name: 'reads',
      statementTimeoutMs,
      settings: { enable_seqscan: 'off', enable_bitmapscan: 'off', jit: 'off' },
    },
    logger,
    registry,
  );
}
