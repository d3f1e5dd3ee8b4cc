import { MigrationInterface, QueryRunner } from 'typeorm';

/** Versions are in force from an instant of event time on, and what was paused when it ended stays held. */
export class AddInForceFrom1795100000011 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE engagement.definitions
        ADD COLUMN in_force_from bigint,
        ADD COLUMN ended_while_paused boolean NOT NULL DEFAULT false`);
    await runner.query(`
      COMMENT ON COLUMN engagement.definitions.in_force_from IS
        'Unix seconds of event time; null in drafts and, where counts_from says it, in rows of releases before this column'`);
    await runner.query(`
      COMMENT ON COLUMN engagement.definitions.ended_while_paused IS
        'What a task reached while it was paused is not paid because it ended'`);
    await runner.query(`
      COMMENT ON COLUMN engagement.definitions.ended_at IS
        'From when on it has ended or is replaced, in event time; may lie ahead'`);
    await runner.query(`
      COMMENT ON COLUMN engagement.definitions.attribute_types IS
        'By event and attribute name, as negotiated when the version was checked: the type, or an object with more; types never change'`);
    await runner.query(`
      CREATE OR REPLACE FUNCTION engagement.keep_published_definition() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF OLD.state <> 'draft' AND
          (NEW.body, NEW.attribute_types, NEW.generation, NEW.platform, NEW.organizer_id, NEW.kind, NEW.name,
           NEW.published_at, NEW.counts_from, NEW.in_force_from) IS DISTINCT FROM
          (OLD.body, OLD.attribute_types, OLD.generation, OLD.platform, OLD.organizer_id, OLD.kind, OLD.name,
           OLD.published_at, OLD.counts_from, OLD.in_force_from) THEN
          RAISE EXCEPTION 'a published version of a definition does not change' USING ERRCODE = '23514';
        END IF;
        RETURN NEW;
      END $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE OR REPLACE FUNCTION engagement.keep_published_definition() RETURNS trigger LANGUAGE plpgsql AS $$
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
      ALTER TABLE engagement.definitions DROP COLUMN in_force_from, DROP COLUMN ended_while_paused`);
  }
}
