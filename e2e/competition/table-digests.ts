import { Client } from 'pg';
import { tablesOf } from '../../apps/competition-read/test/projection';

/** Rows and a digest of all of them, whatever their order, by table. */
export type TableDigests = Readonly<Record<string, { readonly rows: number; readonly digest: string }>>;

const compared = ['documents', 'listings', 'names', 'nameGrams', 'boardEntries', 'boardCounts'] as const;

/** What the tables of a set hold; positions aside, which say where it came from. */
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
