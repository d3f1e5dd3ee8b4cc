import { MigrationInterface, QueryRunner } from 'typeorm';

/** How far a version's sweep has come, and a pause of it by an operator. */
export class ControlSweeps1795100000019 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE engagement.definition_sweeps
        ADD COLUMN started_at timestamptz NOT NULL DEFAULT now(),
        ADD COLUMN users_total bigint,
        ADD COLUMN users_swept bigint NOT NULL DEFAULT 0,
        ADD COLUMN paused_seconds bigint NOT NULL DEFAULT 0`);
    await runner.query(`
      COMMENT ON COLUMN engagement.definition_sweeps.users_total IS
        'Users of the platform when the sweep began; null where the release before began it'`);
    await runner.query(`
      CREATE TABLE engagement.paused_sweeps (
        definition_id uuid PRIMARY KEY,
        version integer NOT NULL,
        paused_by text NOT NULL,
        paused_at timestamptz NOT NULL
      )`);
    await runner.query(`
      COMMENT ON TABLE engagement.paused_sweeps IS
        'Definitions whose newest version is not brought to further users until an operator resumes that'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE engagement.paused_sweeps`);
    await runner.query(`
      ALTER TABLE engagement.definition_sweeps
        DROP COLUMN started_at, DROP COLUMN users_total, DROP COLUMN users_swept, DROP COLUMN paused_seconds`);
  }
}
