import { MigrationInterface, QueryRunner } from 'typeorm';

/** Lists the refreshes of one partner that had a rare outcome without reading its others. */
export class IndexRefreshOutcomes1795000000018 implements MigrationInterface {
  /** The index is built beside the writers, which no transaction allows. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // What was broken off leaves an index that is not valid.
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS linkage.token_refreshes_by_outcome`);
    await runner.query(`
      CREATE INDEX CONCURRENTLY IF NOT EXISTS token_refreshes_by_outcome
        ON linkage.token_refreshes (integration_id, outcome, refresh_id) WHERE outcome IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS linkage.token_refreshes_by_outcome`);
  }
}
