import { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateErasedAccounts1767225600003 implements MigrationInterface {
  name = 'CreateErasedAccounts1767225600003';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE ingestion.erased_accounts (
        account_digest uuid PRIMARY KEY,
        revision bigint NOT NULL
      )`);
    await runner.query(
      `COMMENT ON TABLE ingestion.erased_accounts IS 'Accounts whose links were erased, by digest: a record of the account with this revision or a lower one is older than the erasure, whenever it comes'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE ingestion.erased_accounts');
  }
}
