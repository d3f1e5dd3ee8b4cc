import { channel } from 'node:diagnostics_channel';
import { Client } from 'pg';

/** What goes to the record of the run, when there is one (tools/secret-scan/recorder.cjs). */
const outputs = channel('podium:test:output');
/** Tables of more bytes than this are competition data and generated events, which no secret reaches. */
const bytesMax = 8 * 1024 * 1024;
/** A transaction that a spec has left open may have locked a table. */
const waitMs = 5_000;

/** Gives the record of the run all rows of a database as text; tables of more than 8 MB are left out. */
export async function keepTables(url: string): Promise<void> {
  if (!outputs.hasSubscribers) return;
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: waitMs,
    statement_timeout: waitMs,
  });
  // A spec may have stopped the server, or ended its connections.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows: tables } = await client.query<{ name: string }>(
      `SELECT format('%I.%I', n.nspname, c.relname) AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE c.relkind = 'r' AND n.nspname NOT IN ('pg_catalog', 'information_schema')
         AND pg_relation_size(c.oid) BETWEEN 1 AND $1`,
      [bytesMax],
    );
    for (const { name } of tables) await keepTable(client, name);
  } catch {
    return;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function keepTable(client: Client, name: string): Promise<void> {
  try {
    const { rows } = await client.query<{ row: string }>(`SELECT t::text AS row FROM ${name} t`);
    outputs.publish({ kind: 'tables', text: [name, ...rows.map(({ row }) => row)].join('\n') });
  } catch {
    return;
  }
}
