import { MigrationInterface, QueryRunner } from 'typeorm';

/** Accounts whose links were erased, so that an older record does not bring a link back. */
export class CreateErasedAccounts1795100000008 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE engagement.erased_accounts (
        account_digest uuid PRIMARY KEY,
        revision bigint NOT NULL
      )`);
    await runner.query(`
      COMMENT ON TABLE engagement.erased_accounts IS
        'By digest of (platform, platform_user_id): a record of the account with this revision or a lower one is older than the erasure, whenever it comes'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE engagement.erased_accounts`);
  }
}
