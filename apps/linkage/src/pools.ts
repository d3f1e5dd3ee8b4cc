import { DatabaseParts, Pool, openPool } from '@podium/runtime/postgres';
import { LinkageConfig, furtherPools } from './config';

/** Connections to Postgres by kind of caller, so that none can use up those of another. */
export interface Pools {
  /** Users at /connect and their programs. */
  readonly users: Pool;
  /** Partners' redirects: the end of a linking flow. */
  readonly callbacks: Pool;
  /** Operators, in addition to the connections of entities. */
  readonly operators: Pool;
  /** Background work, and the relay, which holds one. */
  readonly background: Pool;
}

/** A statement of a callback that takes longer comes too late for its page. */
const callbackStatementMs = 5000;

/** Creates the pools; they end in phase `close`. */
export function createPools(config: LinkageConfig, parts: DatabaseParts): Pools {
  const pool = (name: keyof Pools, size: number, statementTimeoutMs?: number): Pool =>
    openPool({ url: config.DATABASE_URL, size, service: 'linkage', name, statementTimeoutMs }, parts);
  return {
    users: pool('users', config.DATABASE_POOL_SIZE),
    callbacks: pool('callbacks', furtherPools.callbacks, callbackStatementMs),
    operators: pool('operators', furtherPools.operators),
    background: pool('background', furtherPools.background),
  };
}
