import type { PoolClient, Queryable } from '@podium/runtime/postgres';

interface Plan {
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
}

/**
 * Explains statements instead of using their rows, and records how many pages each one reads. `mode` is a value of
 * plan_cache_mode; each statement answers `row`.
 */
export function explainedReads(client: PoolClient, mode: string, pages: number[], row: object): Queryable {
  return {
    query: async (text, values = []) => {
      await client.query(`SET plan_cache_mode = ${mode}`);
      await client.query(`PREPARE explained AS ${text}`);
      const literals = values.map((value) => (value === null ? 'NULL' : client.escapeLiteral(String(value))));
      const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
        `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE explained (${literals.join(', ')})`,
      );
      await client.query('DEALLOCATE explained');
      const [{ Plan: plan }] = rows[0]['QUERY PLAN'];
      pages.push(plan['Shared Hit Blocks'] + plan['Shared Read Blocks']);
      return { rows: [row as never], rowCount: 1 };
    },
  };
}
