import { Client } from 'pg';
import { roleOf } from '../src/migrate/schema-roles.store';

/** Podium's schemas. */
export const schemas = ['linkage', 'ingestion', 'engagement', 'competition_read'] as const;

const ours = `nspname IN (${schemas.map((schema) => `'${schema}'`).join(', ')})`;

/** What makes a schema, each as the values of its lines. */
const parts: readonly (readonly [name: string, values: string, from: string])[] = [
  ['schemas', 'nspname, nspacl', `pg_namespace WHERE ${ours}`],
  [
    'relations',
    `c.oid::regclass, relkind, relpersistence, reloptions, relacl, obj_description(c.oid, 'pg_class')`,
    `pg_class c JOIN pg_namespace n ON n.oid = relnamespace WHERE ${ours}`,
  ],
  [
    'columns',
    `attrelid::regclass, attnum, attname, format_type(atttypid, atttypmod), attnotnull, attidentity, attgenerated,
     attcollation::regcollation, attstorage, attstattarget, attoptions, pg_get_expr(adbin, adrelid),
     col_description(attrelid, attnum)`,
    `pg_attribute JOIN pg_class c ON c.oid = attrelid JOIN pg_namespace n ON n.oid = relnamespace
       LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
     WHERE ${ours} AND attnum > 0 AND NOT attisdropped`,
  ],
  [
    'constraints',
    'conrelid::regclass, conname, pg_get_constraintdef(k.oid), convalidated',
    `pg_constraint k JOIN pg_namespace n ON n.oid = connamespace WHERE ${ours}`,
  ],
  [
    'indexes',
    'pg_get_indexdef(indexrelid), indisvalid, indisready',
    `pg_index JOIN pg_class c ON c.oid = indrelid JOIN pg_namespace n ON n.oid = relnamespace WHERE ${ours}`,
  ],
  [
    'sequences',
    'seqrelid::regclass, seqstart, seqincrement, seqmax, seqcache, seqcycle',
    `pg_sequence JOIN pg_class c ON c.oid = seqrelid JOIN pg_namespace n ON n.oid = relnamespace WHERE ${ours}`,
  ],
  [
    'functions',
    'pg_get_functiondef(p.oid), proacl',
    `pg_proc p JOIN pg_namespace n ON n.oid = pronamespace WHERE ${ours}`,
  ],
  [
    'triggers',
    'pg_get_triggerdef(t.oid), tgenabled',
    `pg_trigger t JOIN pg_class c ON c.oid = tgrelid JOIN pg_namespace n ON n.oid = relnamespace
     WHERE ${ours} AND NOT tgisinternal`,
  ],
  [
    'types',
    `t.oid::regtype, typtype,
     (SELECT string_agg(enumlabel, ',' ORDER BY enumsortorder) FROM pg_enum WHERE enumtypid = t.oid)`,
    `pg_type t JOIN pg_namespace n ON n.oid = typnamespace WHERE ${ours}`,
  ],
  ['extensions', 'extname, extversion', 'pg_extension'],
  ...schemas.map((schema) => [`applied in ${schema}`, 'name', `${schema}.migrations`] as const),
];

/** All of Podium's schemas of a database as text, from the catalogs: equal texts are equal schemas. */
export async function dumpSchemas(databaseUrl: string): Promise<string> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const sections: string[] = [];
    for (const [name, values, from] of parts) {
      const { rows } = await client.query<{ line: string }>(
        `SELECT concat_ws(' ', ${values}) COLLATE "C" AS line FROM ${from} ORDER BY line`,
      );
      sections.push(`-- ${name}`, ...rows.map(({ line }) => line));
    }
    return sections.join('\n');
  } finally {
    await client.end();
  }
}

/** Committed tables of Podium. */
export async function countTables(client: Client): Promise<number> {
  const { rows } = await client.query<{ tables: number }>(
    `SELECT count(*)::int AS tables FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
     WHERE ${ours} AND relkind = 'r'`,
  );
  return rows[0].tables;
}

/** Whether a migration of this database is running. */
export async function isMigrating(client: Client): Promise<boolean> {
  const { rowCount } = await client.query(
    `SELECT FROM pg_locks JOIN pg_database d ON d.oid = database
     WHERE locktype = 'advisory' AND granted AND datname = current_database()`,
  );
  return rowCount !== 0;
}

/** The password of a schema's role as the server stores it. */
export async function storedPassword(client: Client, schema: string): Promise<string | null> {
  const { rows } = await client.query<{ stored: string | null }>(
    'SELECT rolpassword AS stored FROM pg_authid WHERE rolname = $1',
    [roleOf(schema)],
  );
  return rows[0].stored;
}

/** Drops a schema and its role, which no other database may use. */
export async function dropRole(client: Client, schema: string): Promise<void> {
  await client.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
  await client.query(`DROP ROLE IF EXISTS ${roleOf(schema)}`);
}
