import { MigrationInterface, QueryRunner } from 'typeorm';

/** The instants of due times that a backfill made due, and what is due by backfills. */
export class KeepDueInstants1795100000020 implements MigrationInterface {
  /** The index is built beside the writers, which no transaction allows. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE engagement.due_times ADD COLUMN IF NOT EXISTS time_due_at bigint`);
    await runner.query(`
      COMMENT ON COLUMN engagement.due_times.time_due_at IS
        'When a row of reason definition is due by time too, Unix seconds; without meaning in a row of reason time'`);
    // What was broken off leaves an index that is not valid.
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS engagement.due_times_of_definition`);
    await runner.query(`
      CREATE INDEX CONCURRENTLY IF NOT EXISTS due_times_of_definition
        ON engagement.due_times (definition_id, time_due_at) WHERE reason = 'definition'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS engagement.due_times_of_definition`);
    await runner.query(`ALTER TABLE engagement.due_times DROP COLUMN time_due_at`);
  }
}
