import { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds each partner's due work without reading that of others. */
export class IndexDueWork1795000000011 implements MigrationInterface {
  /** The indexes are built beside the writers, which no transaction allows. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // What was broken off leaves an index that is not valid.
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS linkage.link_tokens_by_refresh`);
    await runner.query(`
      CREATE INDEX CONCURRENTLY IF NOT EXISTS link_tokens_by_refresh
        ON linkage.link_tokens (refresh_integration_id, refresh_due_at) WHERE refresh_due_at IS NOT NULL`);
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS linkage.links_by_partner_user_info`);
    await runner.query(`
      CREATE INDEX CONCURRENTLY IF NOT EXISTS links_by_partner_user_info
        ON linkage.links (integration_id, user_info_at) WHERE state = 'ready'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS linkage.links_by_partner_user_info`);
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS linkage.link_tokens_by_refresh`);
  }
}
