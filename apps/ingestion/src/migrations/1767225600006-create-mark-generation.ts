import { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateMarkGeneration1767225600006 implements MigrationInterface {
  name = 'CreateMarkGeneration1767225600006';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE ingestion.mark_generation (
        is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
        generation text COLLATE "C" NOT NULL,
        begun_at timestamptz NOT NULL,
        begun_by text NOT NULL
      )`);
    await runner.query(
      `COMMENT ON TABLE ingestion.mark_generation IS 'One row at most: which marks of handled events count. Marks of other generations do not: their events may be lost'`,
    );
    await runner.query(
      `COMMENT ON COLUMN ingestion.mark_generation.generation IS 'Random, so that a restored database never takes up a generation again; part of the key of a mark in Redis. Without a row it is empty'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE ingestion.mark_generation');
  }
}
