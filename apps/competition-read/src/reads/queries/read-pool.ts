import { Live } from '@podium/runtime/config';
import { DatabaseParts, Pool, openPool } from '@podium/runtime/postgres';
import { statementTimeoutMs } from './statement-timeout';

/**
 * The connections of reads, closed when the service ends. Every read scans an index in order and stops early. The settings
 * exclude other plans: one that was cached with its prepared statement while a table was small would scan the whole table
 * after it has grown.
 */
export function openReadPool(options: { url: string | Live<string>; size: number }, parts: DatabaseParts): Pool {
  return openPool(
    {
      ...options,
      service: 'competition-read',
      name: 'reads',
      statementTimeoutMs,
      settings: { enable_seqscan: 'off', enable_bitmapscan: 'off', jit: 'off' },
    },
    parts,
  );
}
