import { MigrationInterface, QueryRunner } from 'typeorm';

/** What is kept of each user's events by name, from which every definition is evaluated. */
export class CreateHistories1795100000015 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE IF NOT EXISTS engagement.event_histories (
        user_ref bigint NOT NULL,
        name text COLLATE "C" NOT NULL,
        packed bytea NOT NULL,
        PRIMARY KEY (user_ref, name)
      ) WITH (fillfactor = 70)`);
    await runner.query(`
      COMMENT ON TABLE engagement.event_histories IS
        'Per user and event name: the events of the lateness horizon singly, older ones merged by term (docs/engine.md)'`);
    await runner.query(`
      ALTER TABLE engagement.events ADD COLUMN IF NOT EXISTS in_history boolean NOT NULL DEFAULT false`);
    await runner.query(`
      COMMENT ON COLUMN engagement.events.in_history IS
        'False: the release before applied the event, so that no row of event_histories has it yet'`);
    // The release before erases users without these tables.
    await runner.query(`
      CREATE OR REPLACE FUNCTION engagement.erase_user_state() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        DELETE FROM engagement.event_histories USING gone WHERE event_histories.user_ref = gone.user_ref;
        DELETE FROM engagement.unissued_awards USING gone WHERE unissued_awards.user_ref = gone.user_ref;
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE OR REPLACE TRIGGER users_erase_state AFTER DELETE ON engagement.users
        REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION engagement.erase_user_state()`);
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS engagement.events_not_in_history`);
    await runner.query(`
      CREATE INDEX CONCURRENTLY IF NOT EXISTS events_not_in_history ON engagement.events (user_ref, name)
        WHERE NOT in_history`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX IF EXISTS engagement.events_not_in_history`);
    await runner.query(`DROP TRIGGER users_erase_state ON engagement.users`);
    await runner.query(`DROP FUNCTION engagement.erase_user_state()`);
    await runner.query(`ALTER TABLE engagement.events DROP COLUMN in_history`);
    await runner.query(`DROP TABLE engagement.event_histories`);
  }
}
