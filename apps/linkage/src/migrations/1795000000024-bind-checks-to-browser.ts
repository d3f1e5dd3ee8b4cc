import { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Binds the log-in of a check to the browser that opened its address. The release before shows the partner's URL, which binds
 * nothing: a redirect of its log-ins is not taken, and the check has to be started again.
 */
export class BindChecksToBrowser1795000000024 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE linkage.partner_checks
        ADD COLUMN entry_hash bytea, ADD COLUMN entry_enc text, ADD COLUMN browser_hash bytea`);
    await runner.query(`
      COMMENT ON COLUMN linkage.partner_checks.entry_hash IS
        'SHA-256 of the secret in the address at which the operator opens the log-in; sealed in entry_enc to be shown again'`);
    await runner.query(`
      COMMENT ON COLUMN linkage.partner_checks.browser_hash IS
        'SHA-256 of the cookie of the browser that opened it last: only its redirect is taken; null until then'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE linkage.partner_checks DROP COLUMN entry_hash, DROP COLUMN entry_enc, DROP COLUMN browser_hash`);
  }
}
