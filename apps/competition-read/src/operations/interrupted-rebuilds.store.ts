import { Queryable } from '@podium/runtime/postgres';
import { TableSet, schema, tablesOf } from '../table-sets/table-set';

/**
 * An interrupted rebuild is not resumed: the next one starts over with an empty set. This marks a rebuild that never
 * reported its end as failed, and empties the set.
 */
export async function discardInterruptedRebuild(tx: Queryable, target: TableSet): Promise<void> {
  await tx.query(
    `UPDATE ${schema}.rebuilds
     SET state = 'failed', finished_at = clock_timestamp(), error = 'interrupted: it never reported its end'
     WHERE state = 'running'`,
  );
  const { set: _, ...names } = tablesOf(target);
  await tx.query(`TRUNCATE ${Object.values(names).join(', ')}`);
}

/** Postgres was unavailable, or failed over to another server, during a rebuild. */
export class RebuildInterruptedError extends Error {
  constructor(cause: unknown) {
    super('Postgres was unavailable during the rebuild and may have lost a part of it. Start the rebuild again.', {
      cause,
    });
  }
}

/** Another rebuild has taken over the set, so this one must not write into it any more. */
export class RebuildSupersededError extends Error {
  constructor() {
    super('another rebuild has replaced this one');
  }
}
