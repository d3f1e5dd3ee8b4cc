import { MigrationInterface, QueryRunner } from 'typeorm';

/** Checks of partners' servers, with their reports. */
export class CheckPartners1795000000016 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE linkage.partner_checks (
        check_id uuid PRIMARY KEY,
        integration_id uuid NOT NULL REFERENCES linkage.integrations ON DELETE CASCADE,
        integration_version integer NOT NULL,
        status text NOT NULL CHECK (status IN ('running', 'waiting_for_log_in', 'finished', 'interrupted')),
        started_by text NOT NULL,
        started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        alive_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        finished_at timestamptz,
        log_in_number integer,
        log_in_purpose text,
        log_in_url_enc text,
        state_hash bytea,
        return_enc text,
        report jsonb
      )`);
    await runner.query(`
      COMMENT ON TABLE linkage.partner_checks IS
        'The instance that runs a check writes alive_at; sealed columns are empty unless a log-in is under way, so they are not re-encrypted'`);
    await runner.query(`
      CREATE UNIQUE INDEX partner_checks_one_running ON linkage.partner_checks (integration_id)
      WHERE status IN ('running', 'waiting_for_log_in')`);
    await runner.query(
      `CREATE INDEX partner_checks_by_integration ON linkage.partner_checks (integration_id, started_at)`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE linkage.partner_checks`);
  }
}
