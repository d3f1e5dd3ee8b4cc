import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { Queryable } from '@podium/runtime/postgres';
import { FreshDatabase, freshDatabase } from '@podium/testing';
import { withClient } from '../../../../tools/stack/with-client';
import { dropRole, storedPassword } from '../../test/schema-dump.queries';
import { passwordVerifier } from './password-verifier';
import { prepareRole, roleOf } from './schema-roles.store';

describe('the password of a service’s role', () => {
  let database: FreshDatabase;
  // A role belongs to the whole server, which other specs use.
  const schema = `roles_${randomUUID().replaceAll('-', '').slice(0, 12)}`;

  beforeAll(async () => {
    database = await freshDatabase();
  });

  afterAll(async () => {
    await withClient(database.url, (client) => dropRole(client, schema));
    await database.drop();
  });

  /** Sets the password; returns what was sent to the server, whose log may have it. */
  async function set(password: string): Promise<string> {
    const sent: unknown[] = [];
    await withClient(database.url, (client: Client) => {
      const session = {
        query: (statement: string, values?: unknown[]) => {
          sent.push(statement, ...(values ?? []));
          return client.query(statement, values);
        },
      } as unknown as Queryable;
      return prepareRole(session, schema, password);
    });
    return sent.join('\n');
  }

  async function logsIn(password: string): Promise<boolean> {
    const url = new URL(database.url);
    [url.username, url.password] = [roleOf(schema), encodeURIComponent(password)];
    return withClient(url.href, async () => true).catch((error: { code?: string }) => {
      if (error.code !== '28P01') throw error;
      return false;
    });
  }

  it.each(["it's-canary-4711 with $ and \\", 'canary-pässword-Å-4711'])(
    'logs in, and is never sent: %s',
    async (password) => {
      expect(await set(password)).not.toContain('4711');
      expect([await logsIn(password), await logsIn('another')]).toEqual([true, false]);
    },
  );

  it('is stored as it is given when it is a verifier', async () => {
    const verifier = passwordVerifier('canary-verified-4711');
    await set(verifier);
    expect(await withClient(database.url, (client) => storedPassword(client, schema))).toBe(verifier);
    expect(await logsIn('canary-verified-4711')).toBe(true);
  });
});
