import { MigrationInterface, QueryRunner } from 'typeorm';

/** What operators define: segments and tasks by version, the counter that tells of their changes, and who changed what. */
export class CreateDefinitions1795100000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE engagement.definitions (
        definition_id uuid NOT NULL,
        version integer NOT NULL CHECK (version >= 1),
        generation integer CHECK (generation >= 1),
        kind text NOT NULL CHECK (kind IN ('segment', 'task')),
        platform text COLLATE "C" NOT NULL,
        organizer_id text COLLATE "C" NOT NULL,
        name text NOT NULL,
        body jsonb NOT NULL,
        attribute_types jsonb NOT NULL,
        state text NOT NULL CHECK (state IN ('draft', 'published', 'paused', 'ended', 'replaced')),
        created_by text NOT NULL,
        created_at timestamptz NOT NULL,
        published_by text,
        published_at timestamptz,
        counts_from timestamptz,
        ended_at timestamptz,
        PRIMARY KEY (definition_id, version),
        CHECK (state = 'draft' OR (generation IS NOT NULL AND published_at IS NOT NULL AND counts_from IS NOT NULL))
      )`);
    await runner.query(`
      COMMENT ON COLUMN engagement.definitions.generation IS
        'Set at publishing: carried over when condition or goal and repeat are unchanged, else one more'`);
    await runner.query(`
      COMMENT ON COLUMN engagement.definitions.attribute_types IS
        'By event and attribute name, as negotiated when the version was checked; types never change'`);
    await runner.query(`
      COMMENT ON COLUMN engagement.definitions.counts_from IS 'From when on, by receipt, events count for the generation'`);
    await runner.query(`
      CREATE UNIQUE INDEX definitions_live_key ON engagement.definitions (definition_id)
        WHERE state IN ('published', 'paused')`);
    await runner.query(`
      CREATE INDEX definitions_list_idx ON engagement.definitions (kind, created_at DESC, definition_id DESC)
        WHERE version = 1`);
    await runner.query(`
      CREATE FUNCTION engagement.keep_published_definition() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF OLD.state <> 'draft' AND
          (NEW.body, NEW.attribute_types, NEW.generation, NEW.platform, NEW.organizer_id, NEW.kind, NEW.name,
           NEW.published_at, NEW.counts_from) IS DISTINCT FROM
          (OLD.body, OLD.attribute_types, OLD.generation, OLD.platform, OLD.organizer_id, OLD.kind, OLD.name,
           OLD.published_at, OLD.counts_from) THEN
          RAISE EXCEPTION 'a published version of a definition does not change' USING ERRCODE = '23514';
        END IF;
        RETURN NEW;
      END $$`);
    await runner.query(`
      CREATE TRIGGER keep_published_definition BEFORE UPDATE ON engagement.definitions
        FOR EACH ROW EXECUTE FUNCTION engagement.keep_published_definition()`);
    await runner.query(`
      CREATE TABLE engagement.definition_epoch (
        only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
        epoch bigint NOT NULL
      )`);
    await runner.query(`
      COMMENT ON TABLE engagement.definition_epoch IS
        'One row, raised with every publish, pause, resume and end: whoever applies events compiles anew when it moved'`);
    await runner.query(`INSERT INTO engagement.definition_epoch (epoch) VALUES (1)`);
    await runner.query(`
      CREATE TABLE engagement.audit (
        audit_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        at timestamptz NOT NULL DEFAULT now(),
        operator_id text NOT NULL,
        organizer_id text COLLATE "C" NOT NULL,
        action text NOT NULL,
        subject text NOT NULL,
        details jsonb NOT NULL DEFAULT '{}'
      )`);
    await runner.query(`COMMENT ON TABLE engagement.audit IS 'Who changed what; append only'`);
    await runner.query(`CREATE INDEX audit_subject_idx ON engagement.audit (subject, audit_id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE engagement.audit, engagement.definition_epoch, engagement.definitions`);
    await runner.query(`DROP FUNCTION engagement.keep_published_definition()`);
  }
}
