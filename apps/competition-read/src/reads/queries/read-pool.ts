import { Live } from '@podium/runtime/config';
import { DatabaseParts, Pool, openPool } from '@podium/runtime/postgres';
import { statementTimeoutMs } from './statement-timeout';

/**
 * Every read scans an index in order and stops early. The settings exclude other plans: one that was cached with its prepared
 * statement while a table was small would scan the whole table after it has grown, and one that depends on the values would
 * be planned again for each read.
 */
export const readSettings = {
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  jit: 'off',
  plan_cache_mode: 'force_generic_plan',
} as const;

/** The connections of reads, closed when the service ends. */
export function openReadPool(options: { url: string | Live<string>; size: number }, parts: DatabaseParts): Pool {
  return openPool(
    { ...options, service: 'competition-read', name: 'reads', statementTimeoutMs, settings: readSettings },
    parts,
  );
}
