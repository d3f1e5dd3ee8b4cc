import { MigrationInterface, QueryRunner } from 'typeorm';

/** Callbacks under way, so that an unlink at the same time does not revoke the tokens of a grant that is being renewed. */
export class NoteCallbacks1795000000025 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE linkage.flow_callbacks (
        callback_id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
        integration_id uuid NOT NULL,
        user_id text COLLATE "C" NOT NULL,
        begun_at timestamptz NOT NULL DEFAULT clock_timestamp()
      )`);
    await runner.query(`
      COMMENT ON TABLE linkage.flow_callbacks IS
        'A row begins when a flow is used, and ends when its link is stored or has failed; it counts for a minute at most'`);
    await runner.query(`CREATE INDEX flow_callbacks_by_user ON linkage.flow_callbacks (user_id)`);
    await runner.query(`CREATE INDEX flow_callbacks_by_begin ON linkage.flow_callbacks (begun_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE linkage.flow_callbacks`);
  }
}
