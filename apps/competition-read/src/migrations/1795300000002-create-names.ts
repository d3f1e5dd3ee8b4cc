import { MigrationInterface, QueryRunner } from 'typeorm';

/** Names that searches find, in both sets, and the index behind searches: each name from each of its characters on. */
export class CreateNames1795300000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const set of ['a', 'b']) {
      await createNames(runner, `competition_read.names_${set}`);
      await createGrams(runner, `competition_read.name_grams_${set}`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const set of ['a', 'b'])
      await runner.query(`DROP TABLE competition_read.name_grams_${set}, competition_read.names_${set}`);
  }
}

/** The key begins with the reference, by which searches read names; it decides alone, but only kind and id are exact. */
async function createNames(runner: QueryRunner, table: string): Promise<void> {
  await runner.query(`
    CREATE TABLE ${table} (
      ref bigint NOT NULL,
      kind text COLLATE "C" NOT NULL,
      id text COLLATE "C" NOT NULL,
      folded text COLLATE "C" NOT NULL,
      scopes bigint[] NOT NULL,
      body text STORAGE EXTERNAL COLLATE "C" NOT NULL,
      PRIMARY KEY (ref, kind, id)
    ) WITH (
      fillfactor = 90,
      autovacuum_vacuum_scale_factor = 0.05,
      autovacuum_analyze_scale_factor = 0.05
    )`);
  await runner.query(`COMMENT ON COLUMN ${table}.ref IS '64 bits of a digest of kind and id; name_grams point here'`);
  await runner.query(`COMMENT ON COLUMN ${table}.folded IS 'The name as searches compare it; at most 128 characters'`);
  await runner.query(`
    COMMENT ON COLUMN ${table}.scopes IS
      'Digests of the kind with each combination of tags that a search can ask for; the first one is the kind alone'`);
  await runner.query(`COMMENT ON COLUMN ${table}.body IS 'Text of the search item to serve'`);
}

/** Vacuumed early after inserts: searches read the index alone, which needs pages known to be visible to all. */
async function createGrams(runner: QueryRunner, table: string): Promise<void> {
  await runner.query(`
    CREATE TABLE ${table} (
      scope bigint NOT NULL,
      ref bigint NOT NULL,
      gram text COLLATE "C" NOT NULL,
      PRIMARY KEY (scope, gram, ref)
    ) WITH (
      autovacuum_vacuum_scale_factor = 0.05,
      autovacuum_vacuum_insert_scale_factor = 0.05,
      autovacuum_analyze_scale_factor = 0.05
    )`);
  await runner.query(`
    COMMENT ON TABLE ${table} IS
      'Folded names followed by the character 1, in each of their scopes; and the same turned, from each of the first 64 characters on, with what stood before at the end, under the complement of the kind''s scope. So a beginning, a part, and a part with a gap are each one range of the key'`);
}
