import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { FreshDatabase, freshDatabase } from '@podium/testing';
import { MigrateProcess } from '../../test/migrate-process';
import { schemas } from '../../test/schema-dump.queries';

jest.setTimeout(120_000);

const insufficientPrivilege = '42501';

describe('the role of each service', () => {
  let database: FreshDatabase;
  let client: Client;

  beforeAll(async () => {
    database = await freshDatabase();
    expect(await new MigrateProcess(database.url).ended).toMatchObject({ code: 0 });
    client = new Client({ connectionString: database.url });
    await client.connect();
  });

  afterAll(async () => {
    await client?.end();
    await database?.drop();
  });

  /** The SQLSTATE with which a statement is refused to a role; undefined when it is not. Nothing of it stays. */
  async function refusal(role: string, statement: string): Promise<string | undefined> {
    await client.query('BEGIN');
    await client.query(`SET LOCAL SESSION AUTHORIZATION ${role}`);
    try {
      await client.query(statement);
      return undefined;
    } catch (error) {
      return (error as { code?: string }).code;
    } finally {
      await client.query('ROLLBACK');
    }
  }

  async function tablesOf(schema: string): Promise<string[]> {
    const { rows } = await client.query<{ name: string }>(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname = $1`,
      [schema],
    );
    return rows.map(({ name }) => name);
  }

  it.each(schemas)('podium_%s has no DDL, in its own schema or elsewhere', async (schema) => {
    const tables = await tablesOf(schema);
    expect(tables.length).toBeGreaterThan(2);
    const statements = [
      `CREATE TABLE ${schema}.extra (id integer)`,
      `CREATE SEQUENCE ${schema}.extra`,
      `CREATE VIEW ${schema}.extra AS SELECT 1`,
      `CREATE FUNCTION ${schema}.extra() RETURNS integer LANGUAGE sql AS 'SELECT 1'`,
      `CREATE TYPE ${schema}.extra AS ENUM ('a')`,
      `DROP SCHEMA ${schema} CASCADE`,
      `ALTER SCHEMA ${schema} RENAME TO extra`,
      'CREATE SCHEMA extra',
      'CREATE TABLE public.extra (id integer)',
      'CREATE EXTENSION pgcrypto',
      'CREATE ROLE extra',
      `DELETE FROM ${schema}.migrations`,
      ...tables.flatMap((table) => [
        `ALTER TABLE ${table} ADD COLUMN extra integer`,
        `ALTER TABLE ${table} RENAME TO extra`,
        `CREATE INDEX extra ON ${table} ((1))`,
        `CREATE TRIGGER extra BEFORE INSERT ON ${table} EXECUTE FUNCTION suppress_redundant_updates_trigger()`,
        `DROP TABLE ${table} CASCADE`,
      ]),
    ];
    const others: string[] = [];
    for (const statement of statements) {
      const code = await refusal(`podium_${schema}`, statement);
      if (code !== insufficientPrivilege) others.push(`${statement}: ${code ?? 'allowed'}`);
    }
    expect(others).toEqual([]);
    const { rows } = await client.query(
      `SELECT rolname FROM pg_roles
       WHERE rolname = $1 AND (rolsuper OR rolcreaterole OR rolcreatedb OR rolbypassrls OR rolreplication)`,
      [`podium_${schema}`],
    );
    expect(rows).toEqual([]);
  });

  it.each(schemas)('podium_%s reads and writes its own tables and sees no other service', async (schema) => {
    const { rows } = await client.query<{ name: string }>(
      `SELECT tablename AS name FROM pg_tables
       WHERE schemaname = $1 AND NOT has_table_privilege($2, format('%I.%I', schemaname, tablename), 'SELECT')`,
      [schema, `podium_${schema}`],
    );
    expect(rows).toEqual([]);
    const unwritable = await client.query<{ name: string }>(
      `SELECT tablename AS name FROM pg_tables, unnest(ARRAY['INSERT', 'UPDATE', 'DELETE']) AS right_of
       WHERE schemaname = $1 AND NOT has_table_privilege($2, format('%I.%I', schemaname, tablename), right_of)`,
      [schema, `podium_${schema}`],
    );
    expect([...new Set(unwritable.rows.map(({ name }) => name))]).toEqual(['migrations']);
    for (const other of schemas.filter((name) => name !== schema))
      for (const table of await tablesOf(other))
        expect(await refusal(`podium_${schema}`, `SELECT FROM ${table} LIMIT 1`)).toBe(insufficientPrivilege);
  });
});

describe('the role of the migrations', () => {
  it('owns the database and needs no further right, as with an operator of Postgres that makes the roles', async () => {
    const database = await freshDatabase();
    const { url } = database;
    const name = new URL(url).pathname.slice(1);
    const owner = `${name}_owner`;
    const password = randomBytes(16).toString('hex');
    const admin = new Client({ connectionString: url });
    await admin.connect();
    try {
      await admin.query(`CREATE ROLE "${owner}" LOGIN NOSUPERUSER NOCREATEROLE PASSWORD '${password}'`);
      await admin.query(`ALTER DATABASE "${name}" OWNER TO "${owner}"`);
      const ownUrl = Object.assign(new URL(url), { username: owner, password }).href;
      expect(await new MigrateProcess(ownUrl).ended).toMatchObject({ code: 0 });
      expect(await new MigrateProcess(ownUrl).ended).toMatchObject({ code: 0 });
    } finally {
      await admin.query(`REASSIGN OWNED BY "${owner}" TO CURRENT_USER`);
      await admin.query(`DROP ROLE IF EXISTS "${owner}"`);
      await admin.end();
      await database.drop();
    }
  });
});
