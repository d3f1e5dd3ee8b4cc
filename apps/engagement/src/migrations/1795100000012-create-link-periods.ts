import { MigrationInterface, QueryRunner } from 'typeorm';

/** When each user was linked with which account: a record, where `links` has only the current state of each account. */
export class CreateLinkPeriods1795100000012 implements MigrationInterface {
  /** The locks on `users` end at once, instead of after the copy of all links. Each statement may be repeated. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE IF NOT EXISTS engagement.link_periods (
        platform text COLLATE "C" NOT NULL,
        user_id text COLLATE "C" NOT NULL,
        linked_at bigint NOT NULL,
        platform_user_id text COLLATE "C" NOT NULL,
        link_id text NOT NULL,
        unlinked_at bigint,
        revision bigint NOT NULL,
        PRIMARY KEY (platform, user_id, linked_at, platform_user_id)
      )`);
    await runner.query(`
      COMMENT ON TABLE engagement.link_periods IS
        'A record of all links, half-open, in Unix seconds; only erasures delete. A rebuild keeps it: the topic is compacted'`);
    await runner.query(`
      COMMENT ON COLUMN engagement.link_periods.unlinked_at IS
        'The end in the record of this revision, or the next linked_at of the account if that is earlier; null while it lasts'`);
    await runner.query(`
      COMMENT ON COLUMN engagement.link_periods.revision IS
        'Highest revision of the links topic with this period; lower ones change nothing'`);
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS engagement.link_periods_of_account`);
    await runner.query(`
      CREATE INDEX CONCURRENTLY IF NOT EXISTS link_periods_of_account
        ON engagement.link_periods (platform, platform_user_id)`);
    // The release before erases users without knowing this table. It has no rights on it until all migrations are done.
    await runner.query(`
      CREATE OR REPLACE FUNCTION engagement.erase_link_periods() RETURNS trigger
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
      BEGIN
        DELETE FROM engagement.link_periods AS period USING gone
        WHERE period.platform = gone.platform AND period.user_id = gone.user_id;
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE OR REPLACE TRIGGER users_erase_link_periods AFTER DELETE ON engagement.users
        REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION engagement.erase_link_periods()`);
    // No column has the time of a past unlinking: such a link ended before now.
    await runner.query(`
      INSERT INTO engagement.link_periods (platform, user_id, linked_at, platform_user_id, link_id, unlinked_at, revision)
      SELECT platform, user_id, linked_at, platform_user_id, link_id,
        CASE WHEN state = 'unlinked' THEN greatest(linked_at, floor(extract(epoch FROM now()))::bigint) END, revision
      FROM engagement.links
      ON CONFLICT DO NOTHING`);
    // Users who were erased while their links were being copied.
    await runner.query(`
      DELETE FROM engagement.link_periods AS period USING engagement.erasures
      WHERE erasures.user_digest = engagement.identity_digest(period.platform, period.user_id)
        AND period.linked_at < erasures.erased_at`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TRIGGER users_erase_link_periods ON engagement.users`);
    await runner.query(`DROP FUNCTION engagement.erase_link_periods()`);
    await runner.query(`DROP TABLE engagement.link_periods`);
  }
}
