import { Client, ClientConfig } from 'pg';

/** Runs work with a separate connection to a Postgres that may become unavailable meanwhile. */
export async function withClient<T>(
  url: string,
  work: (client: Client) => Promise<T>,
  options: ClientConfig = {},
): Promise<T> {
  const client = new Client({ ...options, connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
