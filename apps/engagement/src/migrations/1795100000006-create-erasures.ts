import { identityDigestFunctionSql } from '@podium/runtime/postgres';
import { MigrationInterface, QueryRunner } from 'typeorm';

/** Users who were erased, and awards that may lose the names of their users and nothing else. */
export class CreateErasures1795100000006 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(identityDigestFunctionSql('engagement'));
    await runner.query(`
      CREATE TABLE engagement.erasures (
        user_digest uuid PRIMARY KEY,
        erased_at bigint NOT NULL
      )`);
    await runner.query(`
      COMMENT ON TABLE engagement.erasures IS
        'A record, never wiped: events and links of these users whose linked_at (Unix seconds) lies before are skipped'`);
    await runner.query(`
      CREATE FUNCTION engagement.pseudonym(platform text, id text) RETURNS text
      LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
      RETURN 'erased:' || engagement.identity_digest(platform, id)`);
    await runner.query(`
      CREATE FUNCTION engagement.keep_award() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF to_jsonb(NEW) - 'user_id' - 'platform_user_id' <> to_jsonb(OLD) - 'user_id' - 'platform_user_id'
          OR NEW.user_id <> engagement.pseudonym(OLD.platform, OLD.user_id)
          OR NEW.platform_user_id <> engagement.pseudonym(OLD.platform, OLD.platform_user_id) THEN
          RAISE EXCEPTION 'awards is only added to: an erasure alone replaces names, by their pseudonyms';
        END IF;
        RETURN NEW;
      END $$`);
    await runner.query(`
      CREATE TRIGGER awards_keep BEFORE UPDATE ON engagement.awards
        FOR EACH ROW EXECUTE FUNCTION engagement.keep_award()`);
    await runner.query(`DROP TRIGGER awards_only_grow ON engagement.awards`);
    await runner.query(`
      CREATE TRIGGER awards_only_grow BEFORE DELETE OR TRUNCATE ON engagement.awards
        FOR EACH STATEMENT EXECUTE FUNCTION engagement.refuse_change()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TRIGGER awards_only_grow ON engagement.awards`);
    await runner.query(`
      CREATE TRIGGER awards_only_grow BEFORE UPDATE OR DELETE OR TRUNCATE ON engagement.awards
        FOR EACH STATEMENT EXECUTE FUNCTION engagement.refuse_change()`);
    await runner.query(`DROP TRIGGER awards_keep ON engagement.awards`);
    await runner.query(`DROP FUNCTION engagement.keep_award()`);
    await runner.query(`DROP FUNCTION engagement.pseudonym(text, text)`);
    await runner.query(`DROP TABLE engagement.erasures`);
    await runner.query(`DROP FUNCTION engagement.identity_digest(text, text)`);
  }
}
