import type { PoolClient, Queryable } from '@podium/runtime/postgres';

interface Plan {
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly 'Node Type': string;
  readonly Plans?: readonly Plan[];
}

/** What is recorded: how many pages each statement reads, and the types of the nodes of all their plans. */
interface Recorded {
  readonly pages?: number[];
  readonly nodes?: string[];
}

/**
 * Explains statements instead of using their rows, and records what is wanted of their plans. `mode` is a value of
 * plan_cache_mode; each statement answers `row`.
 */
export function explainedReads(client: PoolClient, mode: string, { pages, nodes }: Recorded, row: object): Queryable {
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
      pages?.push(plan['Shared Hit Blocks'] + plan['Shared Read Blocks']);
      nodes?.push(...nodesOf(plan));
      return { rows: [row as never], rowCount: 1 };
    },
  };
}

function nodesOf(plan: Plan): string[] {
  return [plan['Node Type'], ...(plan.Plans ?? []).flatMap(nodesOf)];
}
