import { MigrationInterface, QueryRunner } from 'typeorm';

/** Which account the record of a membership names: the links that were known then do not tell it once others have arrived. */
export class KeepToldAccounts1795100000027 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE engagement.memberships
        ADD COLUMN account text COLLATE "C",
        ADD COLUMN account_at bigint`);
    await runner.query(`
      COMMENT ON COLUMN engagement.memberships.account_at IS
        'changed_at of the record that names the account; where they differ, the release before has written the row, which keeps none'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE engagement.memberships DROP COLUMN account, DROP COLUMN account_at`);
  }
}
