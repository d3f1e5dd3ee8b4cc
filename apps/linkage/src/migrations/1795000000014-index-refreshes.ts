import { MigrationInterface, QueryRunner } from 'typeorm';

/** Lists the refreshes of one partner, and counts lost answers, without reading the rest of the journal. */
export class IndexRefreshes1795000000014 implements MigrationInterface {
  /** The indexes are built beside the writers, which no transaction allows. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // What was broken off leaves an index that is not valid.
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS linkage.token_refreshes_by_integration`);
    await runner.query(`
      CREATE INDEX CONCURRENTLY IF NOT EXISTS token_refreshes_by_integration
        ON linkage.token_refreshes (integration_id, refresh_id)`);
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS linkage.token_refreshes_lost`);
    await runner.query(`
      CREATE INDEX CONCURRENTLY IF NOT EXISTS token_refreshes_lost
        ON linkage.token_refreshes (link_id, token_version) WHERE outcome = 'lost'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS linkage.token_refreshes_lost`);
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS linkage.token_refreshes_by_integration`);
  }
}
