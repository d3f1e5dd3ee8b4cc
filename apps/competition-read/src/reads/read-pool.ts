import { Live } from '@podium/runtime/config';
import { Logger } from '@podium/runtime/log';
import { Registry } from '@podium/runtime/metrics';
import { Pool, createPool } from '@podium/runtime/postgres';

/** A read that takes longer is refused: its client has no use for it, and others wait for its connection. */
const statementTimeoutMs = 2_000;

/**
 * The connections of reads. Every read walks an index in its order and stops; a plan that was made while a table was small,
 * and that is kept with its prepared statement, must not read all of it, or all that a list has, when it has grown.
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
