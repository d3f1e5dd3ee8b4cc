import { MigrationInterface, QueryRunner } from 'typeorm';

const sets = ['a', 'b'] as const;

/** Documents, lists and positions in two sets, which set is live, and what rebuilds are under way. */
export class CreateProjection1795300000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const set of sets) {
      await createDocuments(runner, `competition_read.documents_${set}`);
      await createListings(runner, `competition_read.listings_${set}`);
      await createPositions(runner, `competition_read.positions_${set}`);
    }
    await createLiveSet(runner);
    await createRebuilds(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE competition_read.rebuilds, competition_read.live_set`);
    for (const set of sets)
      await runner.query(`
        DROP TABLE competition_read.positions_${set}, competition_read.listings_${set}, competition_read.documents_${set}`);
  }
}

/** A tenth of each page stays free, so that a new version of a row needs no new entry in the index. */
async function createDocuments(runner: QueryRunner, table: string): Promise<void> {
  await runner.query(`
    CREATE TABLE ${table} (
      kind text COLLATE "C" NOT NULL,
      id text COLLATE "C" NOT NULL,
      revision bigint NOT NULL,
      body text STORAGE EXTERNAL COLLATE "C",
      summary text STORAGE EXTERNAL COLLATE "C",
      beside text COLLATE "C",
      PRIMARY KEY (kind, id)
    ) WITH (
      fillfactor = 90,
      autovacuum_vacuum_scale_factor = 0.05,
      autovacuum_analyze_scale_factor = 0.05
    )`);
  await runner.query(`
    COMMENT ON TABLE ${table} IS
      'Every document of competition data at its newest revision; all other rows derive from these and from nothing else. Texts are not compressed: reading one costs no work then'`);
  await runner.query(`
    COMMENT ON COLUMN ${table}.body IS
      'Text to serve, with the byte 1 where the public name goes; null marks a deleted document, so that older changes do not bring it back'`);
  await runner.query(
    `COMMENT ON COLUMN ${table}.summary IS 'The shorter text that lists show, for kinds that have one'`,
  );
  await runner.query(`COMMENT ON COLUMN ${table}.beside IS 'What came beside the document, JSON; never served'`);
}

/** Vacuumed early after inserts: pages read the index alone, which needs pages known to be visible to all. */
async function createListings(runner: QueryRunner, table: string): Promise<void> {
  await runner.query(`
    CREATE TABLE ${table} (
      list text COLLATE "C" NOT NULL,
      owner text COLLATE "C" NOT NULL,
      filter text COLLATE "C" NOT NULL,
      sort bigint NOT NULL,
      id text COLLATE "C" NOT NULL,
      body text STORAGE EXTERNAL COLLATE "C",
      PRIMARY KEY (list, owner, filter, sort, id)
    ) WITH (
      autovacuum_vacuum_scale_factor = 0.05,
      autovacuum_vacuum_insert_scale_factor = 0.05,
      autovacuum_analyze_scale_factor = 0.05
    )`);
  await runner.query(`
    COMMENT ON TABLE ${table} IS
      'Which documents stand in the list of an owner, in the order of its pages; the key has all that a page needs'`);
  await runner.query(`
    COMMENT ON COLUMN ${table}.filter IS 'Empty: the whole list; a document that a filter finds has a row for it too'`);
  await runner.query(`COMMENT ON COLUMN ${table}.body IS 'Only for lists whose items are no documents'`);
}

async function createPositions(runner: QueryRunner, table: string): Promise<void> {
  await runner.query(`
    CREATE TABLE ${table} (
      topic text COLLATE "C" NOT NULL,
      partition integer NOT NULL,
      next_offset bigint NOT NULL,
      PRIMARY KEY (topic, partition)
    )`);
  await runner.query(`
    COMMENT ON TABLE ${table} IS 'Up to where this set has the topic; written in the transaction of the batch'`);
}

async function createLiveSet(runner: QueryRunner): Promise<void> {
  await runner.query(`
    CREATE TABLE competition_read.live_set (
      single boolean PRIMARY KEY DEFAULT true CHECK (single),
      live text COLLATE "C" NOT NULL CHECK (live IN ('a', 'b')),
      projection_version integer NOT NULL,
      swapped_at timestamptz NOT NULL
    )`);
  await runner.query(`
    COMMENT ON TABLE competition_read.live_set IS
      'One row: the set of tables that is read and kept up to date; a rebuild fills the other and swaps them here'`);
  await runner.query(`
    COMMENT ON COLUMN competition_read.live_set.swapped_at IS 'Since when the set is live; 1970 before the first swap'`);
  await runner.query(`
    COMMENT ON COLUMN competition_read.live_set.projection_version IS
      'Version of the code that built the set; a higher one in the service means that a rebuild is due'`);
  await runner.query(`
    INSERT INTO competition_read.live_set (live, projection_version, swapped_at) VALUES ('a', 1, 'epoch')`);
}

async function createRebuilds(runner: QueryRunner): Promise<void> {
  await runner.query(`
    CREATE TABLE competition_read.rebuilds (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      target text COLLATE "C" NOT NULL CHECK (target IN ('a', 'b')),
      source text COLLATE "C" NOT NULL CHECK (source IN ('topic', 'copy')),
      state text COLLATE "C" NOT NULL DEFAULT 'running' CHECK (state IN ('running', 'swapped', 'failed')),
      started_at timestamptz NOT NULL DEFAULT now(),
      heartbeat_at timestamptz NOT NULL DEFAULT now(),
      finished_at timestamptz,
      records_done bigint NOT NULL DEFAULT 0,
      records_total bigint,
      error text
    ) WITH (fillfactor = 50)`);
  await runner.query(`
    COMMENT ON TABLE competition_read.rebuilds IS
      'Every rebuild of a set; whoever writes into a set that is not live does so only while its row here is running'`);
  await runner.query(`
    CREATE UNIQUE INDEX rebuilds_running ON competition_read.rebuilds (state) WHERE state = 'running'`);
}
