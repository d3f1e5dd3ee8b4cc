import { MigrationInterface, QueryRunner } from 'typeorm';

/** What was last published of users' progress, and which definitions wait to be published. */
export class CreateToldState1795100000016 implements MigrationInterface {
  /** The locks on `users`, `definitions` and `budgets` end at once. Each statement may be repeated. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE IF NOT EXISTS engagement.told_progress (
        user_ref bigint PRIMARY KEY,
        revision bigint NOT NULL,
        told bytea NOT NULL,
        is_stale boolean NOT NULL DEFAULT false
      ) WITH (fillfactor = 70)`);
    await runner.query(`
      COMMENT ON TABLE engagement.told_progress IS
        'Per user, packed: the progress with each task as it was last published; a task that is missing was never published'`);
    await runner.query(`
      COMMENT ON COLUMN engagement.told_progress.is_stale IS
        'The progress has changed while a relay of the release before led, which does not know the topic'`);
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS engagement.told_progress_stale`);
    await runner.query(`
      CREATE INDEX CONCURRENTLY IF NOT EXISTS told_progress_stale ON engagement.told_progress (user_ref) WHERE is_stale`);
    // The release before erases users without this table. It has no rights on it until all migrations are done.
    await runner.query(`
      CREATE OR REPLACE FUNCTION engagement.erase_told_progress() RETURNS trigger
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
      BEGIN
        DELETE FROM engagement.told_progress USING gone WHERE told_progress.user_ref = gone.user_ref;
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE OR REPLACE TRIGGER users_erase_told_progress AFTER DELETE ON engagement.users
        REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION engagement.erase_told_progress()`);
    await runner.query(`
      CREATE TABLE IF NOT EXISTS engagement.told_definitions (
        definition_id uuid PRIMARY KEY,
        is_told boolean NOT NULL,
        revision bigint NOT NULL DEFAULT 0
      )`);
    await runner.query(`
      COMMENT ON TABLE engagement.told_definitions IS
        'Whether the topic of definitions has each definition as it is now, and the revision of its newest record there'`);
    // The release before changes definitions without publishing them.
    await runner.query(`
      CREATE OR REPLACE FUNCTION engagement.note_changed_definitions() RETURNS trigger
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
      BEGIN
        INSERT INTO engagement.told_definitions AS known (definition_id, is_told)
        SELECT DISTINCT definition_id, false FROM changed ORDER BY definition_id
        ON CONFLICT (definition_id) DO UPDATE SET is_told = false WHERE known.is_told;
        RETURN NULL;
      END $$`);
    for (const [name, event] of [
      ['definitions_note_added', 'INSERT'],
      ['definitions_note_changed', 'UPDATE'],
    ])
      await runner.query(`
        CREATE OR REPLACE TRIGGER ${name} AFTER ${event} ON engagement.definitions
          REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION engagement.note_changed_definitions()`);
    await runner.query(`
      CREATE OR REPLACE FUNCTION engagement.note_raised_budget() RETURNS trigger
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
      BEGIN
        UPDATE engagement.told_definitions SET is_told = false WHERE definition_id = NEW.task_id AND is_told;
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE OR REPLACE TRIGGER budgets_note_raised AFTER UPDATE ON engagement.budgets FOR EACH ROW
        WHEN (OLD.version = NEW.version AND OLD.total IS DISTINCT FROM NEW.total)
        EXECUTE FUNCTION engagement.note_raised_budget()`);
    await runner.query(`
      INSERT INTO engagement.told_definitions (definition_id, is_told)
      SELECT DISTINCT definition_id, false FROM engagement.definitions
      ON CONFLICT DO NOTHING`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TRIGGER budgets_note_raised ON engagement.budgets`);
    await runner.query(`DROP TRIGGER definitions_note_added ON engagement.definitions`);
    await runner.query(`DROP TRIGGER definitions_note_changed ON engagement.definitions`);
    await runner.query(`DROP TRIGGER users_erase_told_progress ON engagement.users`);
    await runner.query(`
      DROP FUNCTION engagement.note_raised_budget(), engagement.note_changed_definitions(),
        engagement.erase_told_progress()`);
    await runner.query(`DROP TABLE engagement.told_definitions, engagement.told_progress`);
  }
}
