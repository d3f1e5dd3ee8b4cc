import { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds refreshes that failed, so that they are sent again soon after their partner has recovered. */
export class HastenRefreshes1795000000017 implements MigrationInterface {
  /** The index is built beside the writers, which no transaction allows. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE linkage.link_tokens ADD COLUMN IF NOT EXISTS refresh_early_from timestamptz`);
    await runner.query(`
      COMMENT ON COLUMN linkage.link_tokens.refresh_early_from IS
        'After a refresh that failed: from this time it may be sent before refresh_due_at; the release before does not write it'`);
    // What was broken off leaves an index that is not valid.
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS linkage.link_tokens_by_failed_refresh`);
    await runner.query(`
      CREATE INDEX CONCURRENTLY IF NOT EXISTS link_tokens_by_failed_refresh
        ON linkage.link_tokens (refresh_integration_id, refresh_early_from) WHERE refresh_early_from IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS linkage.link_tokens_by_failed_refresh`);
    await runner.query(`ALTER TABLE linkage.link_tokens DROP COLUMN IF EXISTS refresh_early_from`);
  }
}
