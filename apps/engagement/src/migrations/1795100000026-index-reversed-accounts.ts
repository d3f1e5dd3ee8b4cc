import { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds the reversed awards of a partner account: where the bonus engine has refused to take one back, its account was paid. */
export class IndexReversedAccounts1795100000026 implements MigrationInterface {
  /** The index is built beside the writers, which no transaction allows. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // What was broken off leaves an index that is not valid.
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS engagement.awards_account_reversed`);
    await runner.query(`
      CREATE INDEX CONCURRENTLY IF NOT EXISTS awards_account_reversed
        ON engagement.awards (task_id, platform, platform_user_id) WHERE reversed`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS engagement.awards_account_reversed`);
  }
}
