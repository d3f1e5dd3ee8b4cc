import { Client } from 'pg';
import { tablesOf } from '../../apps/competition-read/test/projection';

/** The number of rows and an order-independent digest for each table. */
export type TableDigests = Readonly<Record<string, { readonly rows: number; readonly digest: string }>>;

const compared = ['documents', 'listings', 'names', 'nameGrams', 'boardEntries', 'boardCounts'] as const;

/** Digests of the tables of a set, without positions, which depend on the source of the data. */
export async function tableDigests(databaseUrl: string, set: 'a' | 'b'): Promise<TableDigests> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const tables = tablesOf(set);
    const digests: Record<string, { rows: number; digest: string }> = {};
    for (const name of compared) {
      const { rows } = await client.query<{ rows: number; digest: string }>(
        `SELECT count(*)::int AS rows, coalesce(sum(hashtextextended(t::text, 0)::numeric), 0)::text AS digest
         FROM ${tables[name]} t`,
      );
      digests[name] = rows[0];
    }
    return digests;
  } finally {
    await client.end();
  }
}
