import { EntityManager } from 'typeorm';
import { Queryable } from './queryable';

/** Runs stores in the transaction of an entity manager, so that entities and outbox rows are committed together. */
export function entityQueryable(manager: EntityManager): Queryable {
  const runner = manager.queryRunner;
  if (!runner?.isTransactionActive) throw new Error('entityQueryable needs the manager of a transaction');
  return {
    query: async (text, values) => {
      const result = await runner.query(text, values === undefined ? undefined : [...values], true);
      return { rows: result.records, rowCount: result.affected ?? result.records.length };
    },
  };
}
