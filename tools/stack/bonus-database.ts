import { Infrastructure } from './infrastructure';
import { withClient } from './with-client';

const name = 'bonus_engine';

/**
 * Creates the database for the bonus engine's example in the stack's own Postgres, once, and returns its address. In a
 * Postgres given by the environment it creates nothing and returns undefined.
 */
export async function openBonusDatabase({ postgres, addresses }: Infrastructure): Promise<string | undefined> {
  if (!postgres) return undefined;
  await withClient(addresses.database_url, async (client) => {
    const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (found.rowCount === 0) await client.query(`CREATE DATABASE ${name}`);
  });
  const url = new URL(addresses.database_url);
  url.pathname = `/${name}`;
  return url.href;
}
