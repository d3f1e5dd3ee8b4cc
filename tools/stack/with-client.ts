import { Client, ClientConfig } from 'pg';

/** Works with a connection of its own to a Postgres that may go away meanwhile. */
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
