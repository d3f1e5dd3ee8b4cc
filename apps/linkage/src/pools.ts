import { Lifecycle } from '@podium/runtime/app';
import type { Logger } from '@podium/runtime/log';
import type { Registry } from '@podium/runtime/metrics';
import { Pool, createPool } from '@podium/runtime/postgres';
import { LinkageConfig, furtherPools } from './config';

/** Connections to Postgres by who waits for them, so that none of these can take those of another. */
export interface Pools {
  /** People at /connect and their programs. */
  readonly users: Pool;
  /** Partners' redirects: the end of a linking flow. */
  readonly callbacks: Pool;
  /** Operators, beside the connections of entities. */
  readonly operators: Pool;
  /** What nobody waits for, and the relay, which keeps one. */
  readonly background: Pool;
}

/** A statement of a callback that takes longer comes too late for its page. */
const callbackStatementMs = 5000;

/** Makes the pools; they end in phase `close`. */
export function createPools(
  config: LinkageConfig,
  parts: { logger: Logger; registry: Registry; lifecycle: Lifecycle },
): Pools {
  const pool = (name: keyof Pools, size: number, statementTimeoutMs?: number): Pool => {
    const made = createPool(
      { url: config.DATABASE_URL, size, service: 'linkage', name, statementTimeoutMs },
      parts.logger,
      parts.registry,
    );
    parts.lifecycle.onStop('close', `postgres pool of ${name}`, () => made.end());
    return made;
  };
  return {
    users: pool('users', config.DATABASE_POOL_SIZE),
    callbacks: pool('callbacks', furtherPools.callbacks, callbackStatementMs),
    operators: pool('operators', furtherPools.operators),
    background: pool('background', furtherPools.background),
  };
}
