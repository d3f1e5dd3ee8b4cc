import { MigrationInterface, QueryRunner } from 'typeorm';

/** Previews of segments and dry runs of tasks, versions that recount, and pauses by the engine. */
export class CreateTrials1795100000017 implements MigrationInterface {
  /** Each statement alone: no lock of an existing table is held while another one is waited for. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE IF NOT EXISTS engagement.trials (
        trial_id uuid PRIMARY KEY,
        kind text NOT NULL CHECK (kind IN ('preview', 'dry_run')),
        definition_id uuid NOT NULL,
        version integer NOT NULL,
        platform text COLLATE "C" NOT NULL,
        subject jsonb NOT NULL,
        as_of bigint NOT NULL,
        dates_from bigint,
        dates_to bigint,
        state text NOT NULL CHECK (state IN ('waiting', 'running', 'pricing', 'finished', 'cancelled', 'failed')),
        ordered_by text NOT NULL,
        ordered_at timestamptz NOT NULL,
        finished_at timestamptz,
        users_total bigint,
        last_user_ref bigint,
        after_user_ref bigint NOT NULL DEFAULT 0,
        users_done bigint NOT NULL DEFAULT 0,
        members bigint NOT NULL DEFAULT 0,
        failures integer NOT NULL DEFAULT 0,
        CHECK ((kind = 'dry_run') = (dates_from IS NOT NULL AND dates_to IS NOT NULL)),
        CHECK ((state IN ('finished', 'cancelled', 'failed')) = (finished_at IS NOT NULL))
      )`);
    await runner.query(`
      COMMENT ON TABLE engagement.trials IS
        'Evaluations of a version that is not in force, over all users of a platform; after_user_ref is the watermark'`);
    await runner.query(`
      COMMENT ON COLUMN engagement.trials.subject IS
        'The definitions that are evaluated, with the segments on which they depend, as they were when it was ordered'`);
    await runner.query(`
      CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS trials_unfinished ON engagement.trials (definition_id) WHERE finished_at IS NULL`);
    await runner.query(`
      CREATE INDEX CONCURRENTLY IF NOT EXISTS trials_of_definition ON engagement.trials (definition_id, ordered_at DESC)`);
    await runner.query(`CREATE INDEX CONCURRENTLY IF NOT EXISTS trials_finished ON engagement.trials (finished_at)`);
    await runner.query(`
      CREATE TABLE IF NOT EXISTS engagement.trial_tasks (
        trial_id uuid NOT NULL REFERENCES engagement.trials ON DELETE CASCADE,
        side text NOT NULL CHECK (side IN ('draft', 'published')),
        version integer NOT NULL,
        users bigint NOT NULL DEFAULT 0,
        awards bigint NOT NULL DEFAULT 0,
        held bigint NOT NULL DEFAULT 0,
        unlinked bigint NOT NULL DEFAULT 0,
        unpayable bigint NOT NULL DEFAULT 0,
        blocked bigint NOT NULL DEFAULT 0,
        cost numeric NOT NULL DEFAULT 0,
        withheld bigint NOT NULL DEFAULT 0,
        paid numeric NOT NULL DEFAULT 0,
        budget_ended_on date,
        priced_reached_at bigint,
        priced_user_ref bigint,
        priced_n integer,
        PRIMARY KEY (trial_id, side)
      )`);
    await runner.query(`
      COMMENT ON TABLE engagement.trial_tasks IS
        'What a dry run found for the draft and, beside it, for the published version; priced_* is the watermark of the costs'`);
    await runner.query(`
      CREATE TABLE IF NOT EXISTS engagement.trial_days (
        trial_id uuid NOT NULL REFERENCES engagement.trials ON DELETE CASCADE,
        side text NOT NULL,
        day date NOT NULL,
        awards bigint NOT NULL,
        cost numeric NOT NULL,
        withheld bigint NOT NULL,
        paid numeric NOT NULL,
        PRIMARY KEY (trial_id, side, day)
      )`);
    await runner.query(`COMMENT ON COLUMN engagement.trial_days.day IS 'UTC day of reached_at'`);
    await runner.query(`
      CREATE TABLE IF NOT EXISTS engagement.trial_awards (
        trial_id uuid NOT NULL,
        side text NOT NULL,
        reached_at bigint NOT NULL,
        user_ref bigint NOT NULL,
        n integer NOT NULL,
        occurrence text COLLATE "C" NOT NULL,
        account text COLLATE "C" NOT NULL,
        reward jsonb NOT NULL,
        withheld text,
        PRIMARY KEY (trial_id, side, reached_at, user_ref, n)
      )`);
    await runner.query(`
      COMMENT ON TABLE engagement.trial_awards IS
        'The awards that a dry run would issue; withheld: the budget that would not suffice'`);
    await runner.query(`
      CREATE INDEX CONCURRENTLY IF NOT EXISTS trial_awards_by_account ON engagement.trial_awards (trial_id, side, account)`);
    await runner.query(
      `CREATE INDEX CONCURRENTLY IF NOT EXISTS trial_awards_by_user ON engagement.trial_awards (user_ref)`,
    );
    await runner.query(`
      CREATE TABLE IF NOT EXISTS engagement.trial_capped (
        trial_id uuid NOT NULL,
        user_ref bigint NOT NULL,
        name text COLLATE "C" NOT NULL,
        month integer NOT NULL,
        PRIMARY KEY (trial_id, user_ref, name, month)
      )`);
    await runner.query(`
      COMMENT ON TABLE engagement.trial_capped IS
        'Users of whom a month has as many stored events of a name as are kept at most: some may be missing'`);
    await runner.query(
      `CREATE INDEX CONCURRENTLY IF NOT EXISTS trial_capped_by_user ON engagement.trial_capped (user_ref)`,
    );
    await runner.query(`
      CREATE TABLE IF NOT EXISTS engagement.trial_members (
        trial_id uuid NOT NULL,
        user_ref bigint NOT NULL,
        rank text COLLATE "C" NOT NULL,
        comparisons jsonb,
        PRIMARY KEY (trial_id, rank, user_ref)
      )`);
    await runner.query(`
      COMMENT ON TABLE engagement.trial_members IS 'The sample of a preview: the members of the lowest ranks'`);
    await runner.query(
      `CREATE INDEX CONCURRENTLY IF NOT EXISTS trial_members_by_user ON engagement.trial_members (user_ref)`,
    );
    await runner.query(`
      ALTER TABLE engagement.definitions
        ADD COLUMN IF NOT EXISTS recount boolean NOT NULL DEFAULT false,
        ADD COLUMN IF NOT EXISTS max_per_day integer,
        ADD COLUMN IF NOT EXISTS paused_because jsonb`);
    await runner.query(`
      COMMENT ON COLUMN engagement.definitions.recount IS
        'The task window of the generation that begins with the version begins at the start of the task'`);
    await runner.query(`
      COMMENT ON COLUMN engagement.definitions.max_per_day IS
        'The engine pauses the task above so many awards of one UTC day of reached_at; null: it does not'`);
    await runner.query(`
      COMMENT ON COLUMN engagement.definitions.paused_because IS 'The day and its awards, while the engine has paused it'`);
    await runner.query(
      keepPublishedSql(
        'NEW.in_force_from, NEW.recount, NEW.max_per_day',
        'OLD.in_force_from, OLD.recount, OLD.max_per_day',
      ),
    );
    await runner.query(`
      CREATE TABLE IF NOT EXISTS engagement.task_day_changes (
        change_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        task_id uuid NOT NULL,
        day date NOT NULL,
        awards integer NOT NULL
      )`);
    await runner.query(`
      COMMENT ON TABLE engagement.task_day_changes IS
        'What transactions add to task_days: added up in the background, so that no row is written by all of them'`);
    await runner.query(`
      CREATE TABLE IF NOT EXISTS engagement.task_days (
        task_id uuid NOT NULL,
        day date NOT NULL,
        awards bigint NOT NULL,
        accepted boolean NOT NULL DEFAULT false,
        PRIMARY KEY (task_id, day)
      ) WITH (fillfactor = 70)`);
    await runner.query(`
      COMMENT ON TABLE engagement.task_days IS
        'Awards by UTC day of reached_at, of tasks with max_per_day; accepted: an operator resumed the task in spite of it'`);
    // The release before erases users without these tables.
    await runner.query(`
      CREATE OR REPLACE FUNCTION engagement.erase_user_trials() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        DELETE FROM engagement.trial_awards USING gone WHERE trial_awards.user_ref = gone.user_ref;
        DELETE FROM engagement.trial_capped USING gone WHERE trial_capped.user_ref = gone.user_ref;
        DELETE FROM engagement.trial_members USING gone WHERE trial_members.user_ref = gone.user_ref;
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE OR REPLACE TRIGGER users_erase_trials AFTER DELETE ON engagement.users
        REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION engagement.erase_user_trials()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(keepPublishedSql('NEW.in_force_from', 'OLD.in_force_from'));
    await runner.query(`DROP TABLE engagement.task_days, engagement.task_day_changes`);
    await runner.query(`
      ALTER TABLE engagement.definitions DROP COLUMN recount, DROP COLUMN max_per_day, DROP COLUMN paused_because`);
    await runner.query(`DROP TRIGGER users_erase_trials ON engagement.users`);
    await runner.query(`DROP FUNCTION engagement.erase_user_trials()`);
    await runner.query(`
      DROP TABLE engagement.trial_members, engagement.trial_capped, engagement.trial_awards, engagement.trial_days,
        engagement.trial_tasks, engagement.trials`);
  }
}

/** `latest` are the columns that were added last, of the new and of the old row. */
function keepPublishedSql(latestNew: string, latestOld: string): string {
  return `
    CREATE OR REPLACE FUNCTION engagement.keep_published_definition() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF OLD.state <> 'draft' AND
        (NEW.body, NEW.attribute_types, NEW.generation, NEW.platform, NEW.organizer_id, NEW.kind, NEW.name,
         NEW.published_at, NEW.counts_from, ${latestNew}) IS DISTINCT FROM
        (OLD.body, OLD.attribute_types, OLD.generation, OLD.platform, OLD.organizer_id, OLD.kind, OLD.name,
         OLD.published_at, OLD.counts_from, ${latestOld}) THEN
        RAISE EXCEPTION 'a published version of a definition does not change' USING ERRCODE = '23514';
      END IF;
      RETURN NEW;
    END $$`;
}
