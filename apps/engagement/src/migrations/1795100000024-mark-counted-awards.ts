import { MigrationInterface, QueryRunner } from 'typeorm';
import { keepAwardSql } from './1795100000013-extend-awards';

/** A reversal takes back what an issue has added to the awards of a day, and only that. */
export class MarkCountedAwards1795100000024 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE engagement.awards ADD COLUMN is_counted boolean`);
    await runner.query(`
      COMMENT ON COLUMN engagement.awards.is_counted IS
        'Whether the newest issue counts toward max_per_day; null where the release that issued it did not say: it does where the task has that rate'`);
    await runner.query(keepAwardSql(['owed_at', 'reversed', 'is_counted']));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(keepAwardSql(['owed_at', 'reversed']));
    await runner.query(`ALTER TABLE engagement.awards DROP COLUMN is_counted`);
  }
}
