import { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds users of whom an erasure names only the digest. */
export class IndexUserDigests1795100000007 implements MigrationInterface {
  /** The index is built beside the writers, which no transaction allows. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // What was broken off leaves an index that is not valid.
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS engagement.users_by_digest`);
    await runner.query(`
      CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS users_by_digest
        ON engagement.users (engagement.identity_digest(platform, user_id))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS engagement.users_by_digest`);
  }
}
