import { MigrationInterface, QueryRunner } from 'typeorm';

/** The record of what users were awarded: one row per award, and its ledger, which only grows. */
export class CreateAwards1795100000003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE engagement.awards (
        award_id text COLLATE "C" PRIMARY KEY,
        number bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
        task_id uuid NOT NULL,
        task_version integer NOT NULL,
        occurrence text COLLATE "C" NOT NULL,
        platform text COLLATE "C" NOT NULL,
        organizer_id text COLLATE "C" NOT NULL,
        user_id text COLLATE "C" NOT NULL,
        platform_user_id text COLLATE "C" NOT NULL,
        reward jsonb NOT NULL,
        reached_at bigint NOT NULL,
        issued_at timestamptz NOT NULL,
        CONSTRAINT awards_user_unique UNIQUE (task_id, user_id, occurrence),
        CONSTRAINT awards_account_unique UNIQUE (task_id, platform, platform_user_id, occurrence)
      )`);
    await runner.query(`
      COMMENT ON TABLE engagement.awards IS
        'A record, never wiped; a task belongs to one platform, so (task, user, occurrence) needs no platform'`);
    await runner.query(`
      COMMENT ON CONSTRAINT awards_account_unique ON engagement.awards IS
        'One partner account linked to many users one after the other is paid once'`);
    await runner.query(`
      COMMENT ON COLUMN engagement.awards.award_id IS 'Digest of (task, user, occurrence), hex: the same after any replay'`);
    await runner.query(`COMMENT ON COLUMN engagement.awards.number IS 'Order of issue, for paging'`);
    await runner.query(`
      CREATE INDEX awards_by_user ON engagement.awards (platform, user_id, number)`);
    await runner.query(`
      CREATE TABLE engagement.ledger_entries (
        award_id text COLLATE "C" NOT NULL REFERENCES engagement.awards,
        seq integer NOT NULL CHECK (seq >= 1),
        kind text NOT NULL CHECK (kind IN ('issued', 'confirmed', 'rejected', 'reversed')),
        answers_seq integer,
        reason text,
        at timestamptz NOT NULL,
        PRIMARY KEY (award_id, seq),
        CONSTRAINT ledger_entries_answered_once UNIQUE (award_id, answers_seq),
        CONSTRAINT ledger_entries_answer_check CHECK ((kind IN ('confirmed', 'rejected')) = (answers_seq IS NOT NULL))
      )`);
    await runner.query(`
      COMMENT ON COLUMN engagement.ledger_entries.answers_seq IS
        'For confirmed and rejected: the entry that the bonus engine answered; each entry is answered once'`);
    await runner.query(`
      CREATE UNIQUE INDEX ledger_entries_issued_once ON engagement.ledger_entries (award_id) WHERE kind = 'issued'`);
    await runner.query(`
      CREATE FUNCTION engagement.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION '% is only added to', TG_TABLE_NAME;
      END $$`);
    await runner.query(`
      CREATE TRIGGER ledger_entries_only_grow BEFORE UPDATE OR DELETE OR TRUNCATE ON engagement.ledger_entries
        FOR EACH STATEMENT EXECUTE FUNCTION engagement.refuse_change()`);
    await runner.query(`
      CREATE TRIGGER awards_only_grow BEFORE UPDATE OR DELETE OR TRUNCATE ON engagement.awards
        FOR EACH STATEMENT EXECUTE FUNCTION engagement.refuse_change()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE engagement.ledger_entries, engagement.awards`);
    await runner.query(`DROP FUNCTION engagement.refuse_change()`);
  }
}
