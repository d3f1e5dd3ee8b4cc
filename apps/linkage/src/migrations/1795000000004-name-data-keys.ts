import { MigrationInterface, QueryRunner } from 'typeorm';

/** What people call a data key, and the form of its text. */
export class NameDataKeys1795000000004 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE linkage.api_keys
        ADD COLUMN name text,
        ADD COLUMN format text NOT NULL DEFAULT 'podium' CHECK (format IN ('podium', 'uuid'))`);
    await runner.query(
      `COMMENT ON COLUMN linkage.api_keys.name IS 'What a data key is called; null for an event key, which its integration names'`,
    );
    await runner.query(`
      CREATE INDEX api_keys_of_data ON linkage.api_keys (organizer_id, created_at) WHERE kind = 'data'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX linkage.api_keys_of_data`);
    await runner.query(`ALTER TABLE linkage.api_keys DROP COLUMN name, DROP COLUMN format`);
  }
}
