import { MigrationInterface, QueryRunner } from 'typeorm';

/** Tells two epochs of one number apart: after a failover that loses commits a number may come a second time. */
export class MarkEpochs1795100000009 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE engagement.definition_epoch ADD COLUMN mark uuid NOT NULL
        DEFAULT '00000000-0000-0000-0000-000000000000'`);
    await runner.query(`
      COMMENT ON COLUMN engagement.definition_epoch.mark IS
        'Another one with every move: a database that lost its last commits counts to the same number again'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE engagement.definition_epoch DROP COLUMN mark`);
  }
}
