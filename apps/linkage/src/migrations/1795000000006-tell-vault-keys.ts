import { MigrationInterface, QueryRunner } from 'typeorm';

/** Which vault keys each running instance has. */
export class TellVaultKeys1795000000006 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE linkage.vault_instances (
        instance text PRIMARY KEY,
        key_ids text[] NOT NULL,
        seen_at timestamptz NOT NULL
      )`);
    await runner.query(`
      COMMENT ON COLUMN linkage.vault_instances.key_ids IS 'Ids of its key ring, the one that seals first; never a key'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE linkage.vault_instances`);
  }
}
