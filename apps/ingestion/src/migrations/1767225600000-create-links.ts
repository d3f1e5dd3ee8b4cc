import { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateLinks1767225600000 implements MigrationInterface {
  name = 'CreateLinks1767225600000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE ingestion.links (
        platform text COLLATE "C" NOT NULL,
        platform_user_id text COLLATE "C" NOT NULL,
        user_id text NOT NULL,
        link_id text NOT NULL,
        organizer_id text NOT NULL,
        state text NOT NULL CHECK (state IN ('linking', 'ready', 'refreshing', 'needs_reauth', 'unlinked')),
        linked_at bigint NOT NULL,
        revision bigint NOT NULL,
        PRIMARY KEY (platform, platform_user_id)
      )`);
    await runner.query(
      `COMMENT ON TABLE ingestion.links IS 'View of linkage.links.v1, shared by the instances, written by group ingestion.link-view alone'`,
    );
    await runner.query(`COMMENT ON COLUMN ingestion.links.linked_at IS 'Unix seconds'`);
    await runner.query(
      `COMMENT ON COLUMN ingestion.links.revision IS 'Of the record; only a higher one changes the row'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE ingestion.links');
  }
}
