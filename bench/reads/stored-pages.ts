import { Client } from 'pg';
import { MeasuredOperation, SampledOperation } from './operations';
import { Target } from './reads-stack';

/**
 * Stores the service's own responses of each operation in a table that only the floor reads, each as one text by primary key. The
 * floor of a page then sends as many bytes as the service does. The texts are stored as documents are: out of line and not
 * compressed.
 */
export async function storePages(
  databaseUrl: string,
  service: Target,
  operations: readonly SampledOperation[],
): Promise<MeasuredOperation[]> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(
      `CREATE SCHEMA IF NOT EXISTS bench;
       DROP TABLE IF EXISTS bench.pages;
       CREATE TABLE bench.pages (id integer PRIMARY KEY, body text STORAGE EXTERNAL COLLATE "C" NOT NULL)`,
    );
    const measured: MeasuredOperation[] = [];
    let nextId = 0;
    for (const operation of operations) {
      const pages = await pagesOf(service, operation.paths);
      const ids = pages.map(() => nextId++);
      await client.query('INSERT INTO bench.pages (id, body) SELECT * FROM unnest($1::integer[], $2::text[])', [
        ids,
        pages,
      ]);
      const pageBytes = pages.reduce((sum, page) => sum + Buffer.byteLength(page), 0) / pages.length;
      measured.push({ ...operation, storedPagePaths: ids.map((id) => `/pages/${id}`), pageBytes });
    }
    await client.query('VACUUM (ANALYZE) bench.pages');
    return measured;
  } finally {
    await client.end();
  }
}

async function pagesOf({ host, port, prefix, headers }: Target, paths: readonly string[]): Promise<string[]> {
  const pages: string[] = [];
  for (const path of paths) {
    const response = await fetch(`http://${host}:${port}${prefix}${path}`, {
      headers: { ...headers, 'accept-encoding': 'identity' },
    });
    const page = await response.text();
    if (response.status !== 200) throw new Error(`${path} was answered with ${response.status}: ${page}`);
    pages.push(page);
  }
  return pages;
}
