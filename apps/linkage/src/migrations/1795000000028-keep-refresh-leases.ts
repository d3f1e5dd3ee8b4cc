import { MigrationInterface, QueryRunner } from 'typeorm';

/** Keeps the lease of a refresh with its claim, so that a partner's timeout can be lowered while its refreshes are under way. */
export class KeepRefreshLeases1795000000028 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE linkage.link_tokens ADD COLUMN refresh_lease_s double precision`);
    await runner.query(`
      COMMENT ON COLUMN linkage.link_tokens.refresh_lease_s IS
        'Seconds after which the claim that refresh_started_at began is over, by the timeout at that time; the release before does not write it'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE linkage.link_tokens DROP COLUMN refresh_lease_s`);
  }
}
