import { MigrationInterface, QueryRunner } from 'typeorm';

/** Running state of definitions per user, memberships, due times and the view of who is linked. */
export class CreateState1795100000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE engagement.term_points (
        user_ref bigint NOT NULL,
        definition_id uuid NOT NULL,
        generation integer NOT NULL,
        term integer NOT NULL,
        bucket bigint NOT NULL,
        count bigint NOT NULL,
        sum numeric NOT NULL,
        latest_at bigint,
        latest_id text COLLATE "C",
        latest_holds boolean,
        PRIMARY KEY (user_ref, definition_id, generation, term, bucket)
      )`);
    await runner.query(`
      COMMENT ON TABLE engagement.term_points IS
        'What a definition has counted for a user, exact beyond the stored events; merged, never recomputed'`);
    await runner.query(`
      COMMENT ON COLUMN engagement.term_points.bucket IS 'Unix seconds at which the bucket starts; 0 for one total'`);
    await runner.query(`
      CREATE TABLE engagement.task_occurrences (
        user_ref bigint NOT NULL,
        definition_id uuid NOT NULL,
        generation integer NOT NULL,
        settled bigint NOT NULL,
        PRIMARY KEY (user_ref, definition_id, generation)
      )`);
    await runner.query(`
      COMMENT ON COLUMN engagement.task_occurrences.settled IS
        'The first so many occurrences are awarded, or were refused because the partner account had them under another user'`);
    await runner.query(`
      CREATE TABLE engagement.memberships (
        user_ref bigint NOT NULL,
        segment_id uuid NOT NULL,
        segment_version integer NOT NULL,
        member boolean NOT NULL,
        changed_at bigint NOT NULL,
        reason text NOT NULL CHECK (reason IN ('event', 'time', 'link', 'definition')),
        PRIMARY KEY (user_ref, segment_id)
      )`);
    await runner.query(`
      COMMENT ON TABLE engagement.memberships IS 'Absent means never a member; only changes are written and published'`);
    await runner.query(
      `CREATE INDEX memberships_by_segment ON engagement.memberships (segment_id, user_ref) WHERE member`,
    );
    await runner.query(`
      CREATE TABLE engagement.due_times (
        user_ref bigint NOT NULL,
        definition_id uuid NOT NULL,
        due_at bigint NOT NULL,
        reason text NOT NULL DEFAULT 'time' CHECK (reason IN ('time', 'definition')),
        PRIMARY KEY (user_ref, definition_id)
      )`);
    await runner.query(`
      COMMENT ON TABLE engagement.due_times IS
        'When a definition must be looked at again for a user although no event came, Unix seconds; those of a paused definition wait'`);
    await runner.query(`CREATE INDEX due_times_by_time ON engagement.due_times (definition_id, due_at)`);
    await runner.query(`
      CREATE TABLE engagement.definition_sweeps (
        definition_id uuid NOT NULL,
        version integer NOT NULL,
        after_user_ref bigint NOT NULL,
        finished_at timestamptz,
        PRIMARY KEY (definition_id, version)
      )`);
    await runner.query(`
      COMMENT ON TABLE engagement.definition_sweeps IS
        'How far each published version has been brought to the users who were there before it'`);
    await runner.query(`
      CREATE TABLE engagement.links (
        platform text COLLATE "C" NOT NULL,
        platform_user_id text COLLATE "C" NOT NULL,
        user_id text COLLATE "C" NOT NULL,
        link_id text NOT NULL,
        integration_id text NOT NULL,
        organizer_id text NOT NULL,
        state text NOT NULL CHECK (state IN ('linking', 'ready', 'refreshing', 'needs_reauth', 'unlinked')),
        linked_at bigint NOT NULL,
        revision bigint NOT NULL,
        PRIMARY KEY (platform, platform_user_id)
      )`);
    await runner.query(`
      COMMENT ON TABLE engagement.links IS 'View of the links topic; a row changes only to a higher revision'`);
    await runner.query(`
      CREATE INDEX links_of_user ON engagement.links (platform, user_id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE engagement.links, engagement.definition_sweeps, engagement.due_times, engagement.memberships,
        engagement.task_occurrences, engagement.term_points`);
  }
}
