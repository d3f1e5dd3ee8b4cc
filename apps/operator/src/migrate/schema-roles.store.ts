import { escapeIdentifier, escapeLiteral } from 'pg';
import { Queryable } from '@podium/runtime/postgres';
import { passwordVerifier } from './password-verifier';

/** Arbitrary fixed number of the advisory lock that the migrating process holds. */
const lockKey = 7_243_001;

const insufficientPrivilege = '42501';

/** The role of the service that has a schema. */
export function roleOf(schema: string): string {
  return `podium_${schema}`;
}

/** Takes the lock of migrations for this session; false while another process holds it. */
export async function tryLock(session: Queryable): Promise<boolean> {
  const { rows } = await session.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [lockKey]);
  return rows[0].taken;
}

/** Creates a service's schema and its role `podium_<schema>`; without a password the role's own is unchanged. */
export async function prepareRole(session: Queryable, schema: string, password: string | undefined): Promise<void> {
  const role = escapeIdentifier(roleOf(schema));
  const { rowCount } = await session.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [roleOf(schema)]);
  if (rowCount === 0) await createRole(session, roleOf(schema));
  if (password !== undefined)
    await session.query(`ALTER ROLE ${role} PASSWORD ${escapeLiteral(passwordVerifier(password))}`);
  await session.query(`CREATE SCHEMA IF NOT EXISTS ${escapeIdentifier(schema)}`);
}

/** Throws an error that says what to do where only administrators create roles, as with an operator of Postgres. */
async function createRole(session: Queryable, name: string): Promise<void> {
  try {
    await session.query(`CREATE ROLE ${escapeIdentifier(name)} LOGIN`);
  } catch (error) {
    if ((error as { code?: unknown }).code !== insufficientPrivilege) throw error;
    throw new Error(
      `the role ${name} is missing, and that of DATABASE_URL may not create it: have an administrator create it, or wait until ` +
        'CloudNativePG has made the roles of its Cluster',
      { cause: error },
    );
  }
}

/** Grants a service's role the use of its own schema, without DDL. */
export async function grantUse(session: Queryable, schema: string, truncatedTables: readonly string[]): Promise<void> {
  const role = escapeIdentifier(roleOf(schema));
  const name = escapeIdentifier(schema);
  await session.query(`GRANT USAGE ON SCHEMA ${name} TO ${role}`);
  await session.query(`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${name} TO ${role}`);
  await session.query(`REVOKE INSERT, UPDATE, DELETE ON ${name}.migrations FROM ${role}`);
  await session.query(`GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA ${name} TO ${role}`);
  if (truncatedTables.length > 0)
    await session.query(`GRANT TRUNCATE, MAINTAIN ON ${truncatedTables.join(', ')} TO ${role}`);
}
