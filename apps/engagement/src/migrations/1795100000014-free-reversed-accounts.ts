import { MigrationInterface, QueryRunner } from 'typeorm';

/** A reversed award can be issued again, and no longer keeps other users of its partner account from the occurrence. */
export class FreeReversedAccounts1795100000014 implements MigrationInterface {
  /** The index is built beside the writers, which no transaction allows. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS engagement.ledger_entries_issued_once`);
    // What was broken off leaves an index that is not valid.
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS engagement.awards_account_paid`);
    await runner.query(`
      CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS awards_account_paid
        ON engagement.awards (task_id, platform, platform_user_id, occurrence) WHERE NOT reversed`);
    await runner.query(`
      COMMENT ON INDEX engagement.awards_account_paid IS
        'One partner account linked to many users one after the other is paid once'`);
    await runner.query(`ALTER TABLE engagement.awards DROP CONSTRAINT IF EXISTS awards_account_unique`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS ledger_entries_issued_once
        ON engagement.ledger_entries (award_id) WHERE kind = 'issued'`);
    await runner.query(`
      ALTER TABLE engagement.awards ADD CONSTRAINT awards_account_unique
        UNIQUE (task_id, platform, platform_user_id, occurrence)`);
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS engagement.awards_account_paid`);
  }
}
