import { MigrationInterface, QueryRunner } from 'typeorm';

/** Awards that are reversed and issued again, their evidence, what is owed and not issued, and budgets. */
export class ExtendAwards1795100000013 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE engagement.awards
        ADD COLUMN owed_at bigint,
        ADD COLUMN reversed boolean NOT NULL DEFAULT false`);
    await runner.query(`
      COMMENT ON COLUMN engagement.awards.owed_at IS
        'Unix seconds: when the engine found it reached, last time it looked; null until it has found it owed: then nothing reverses it'`);
    await runner.query(`
      ALTER TABLE engagement.ledger_entries
        ADD COLUMN reversed_version integer,
        ADD COLUMN reversed_reward jsonb,
        ADD COLUMN reversed_reached_at bigint,
        ADD COLUMN reversed_account text COLLATE "C"`);
    await runner.query(`
      COMMENT ON COLUMN engagement.ledger_entries.reversed_reward IS
        'Of a reversal, like the version, reached_at and account (a pseudonym): what it takes back, because the award may be issued again with others'`);
    await runner.query(keepAwardSql(['owed_at', 'reversed']));
    await runner.query(`
      CREATE TABLE engagement.award_evidence (
        award_id text COLLATE "C" NOT NULL REFERENCES engagement.awards,
        seq integer NOT NULL,
        evidence jsonb NOT NULL,
        PRIMARY KEY (award_id, seq)
      )`);
    await runner.query(`
      COMMENT ON TABLE engagement.award_evidence IS
        'Why an award was issued under this ledger entry, at most 2 KB; an erasure removes it, the award stays'`);
    await runner.query(`
      CREATE TABLE engagement.unissued_awards (
        unissued_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        user_ref bigint NOT NULL,
        task_id uuid NOT NULL,
        series text COLLATE "C" NOT NULL,
        first integer NOT NULL,
        last integer NOT NULL CHECK (last >= first),
        status text NOT NULL
          CHECK (status IN ('held_by_pause', 'held_by_limit', 'withheld', 'unlinked', 'blocked', 'refused')),
        reason text,
        task_version integer NOT NULL,
        account text COLLATE "C",
        reward jsonb NOT NULL,
        reached_at bigint NOT NULL,
        evidence jsonb NOT NULL,
        noted_at timestamptz NOT NULL,
        CONSTRAINT unissued_awards_key UNIQUE (user_ref, task_id, series, first),
        CONSTRAINT unissued_awards_reason_check CHECK ((status = 'withheld') = (reason IS NOT NULL))
      )`);
    await runner.query(`
      COMMENT ON TABLE engagement.unissued_awards IS
        'Occurrences that are owed and not issued, and those that an approver refused; consecutive ones of "every" share a row'`);
    await runner.query(`
      COMMENT ON COLUMN engagement.unissued_awards.series IS
        'The occurrence itself, or, of "every", what precedes the number (g1:every)'`);
    await runner.query(`CREATE INDEX unissued_awards_by_task ON engagement.unissued_awards (task_id, unissued_id)`);
    await runner.query(`
      CREATE INDEX unissued_awards_blocked ON engagement.unissued_awards (task_id, account) WHERE status = 'blocked'`);
    await runner.query(`
      CREATE INDEX unissued_awards_paused ON engagement.unissued_awards (task_id, user_ref)
        WHERE status = 'held_by_pause'`);
    await runner.query(`
      CREATE TABLE engagement.budgets (
        task_id uuid PRIMARY KEY,
        version integer NOT NULL,
        stated_total numeric,
        total numeric,
        per_day numeric
      )`);
    await runner.query(`
      COMMENT ON TABLE engagement.budgets IS
        'The budget that the shards of a task follow, as the version states it; total may have been raised above stated_total'`);
    await runner.query(`
      CREATE TABLE engagement.budget_shards (
        task_id uuid NOT NULL,
        day date NOT NULL,
        shard integer NOT NULL,
        available numeric NOT NULL,
        PRIMARY KEY (task_id, day, shard)
      ) WITH (fillfactor = 50)`);
    await runner.query(`
      COMMENT ON TABLE engagement.budget_shards IS
        'What is left of a budget, over several rows; day is the UTC day of issue, -infinity for the total'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE engagement.budget_shards, engagement.budgets, engagement.unissued_awards, engagement.award_evidence`);
    await runner.query(keepNamesSql);
    await runner.query(`
      ALTER TABLE engagement.ledger_entries
        DROP COLUMN reversed_version, DROP COLUMN reversed_reward, DROP COLUMN reversed_reached_at,
        DROP COLUMN reversed_account`);
    await runner.query(`ALTER TABLE engagement.awards DROP COLUMN owed_at, DROP COLUMN reversed`);
  }
}

/**
 * What was issued changes only when a reversed award is issued again (and perhaps reversed again); names, then and by an erasure.
 * The columns `marks` may change at any time.
 */
export const keepAwardSql = (marks: readonly string[]): string => `
  CREATE OR REPLACE FUNCTION engagement.keep_award() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    marks CONSTANT text[] := '{${marks.join(',')}}';
    names CONSTANT text[] := ARRAY['user_id', 'platform_user_id'];
    terms CONSTANT text[] := ARRAY['task_version', 'reward', 'reached_at', 'issued_at'];
  BEGIN
    IF OLD.reversed AND (NOT NEW.reversed OR to_jsonb(NEW) - marks - names <> to_jsonb(OLD) - marks - names) THEN
      IF to_jsonb(NEW) - marks - names - terms <> to_jsonb(OLD) - marks - names - terms
        OR OLD.user_id NOT IN (NEW.user_id, engagement.pseudonym(NEW.platform, NEW.user_id)) THEN
        RAISE EXCEPTION 'an award is issued again to its user, for its task and occurrence';
      END IF;
    ELSIF to_jsonb(NEW) - marks - names <> to_jsonb(OLD) - marks - names
      OR ((NEW.user_id, NEW.platform_user_id) <> (OLD.user_id, OLD.platform_user_id)
        AND (NEW.user_id, NEW.platform_user_id) <>
          (engagement.pseudonym(OLD.platform, OLD.user_id), engagement.pseudonym(OLD.platform, OLD.platform_user_id))) THEN
      RAISE EXCEPTION 'awards is only added to: an erasure alone replaces names, by their pseudonyms';
    END IF;
    RETURN NEW;
  END $$`;

/** As the release before has it. */
const keepNamesSql = `
  CREATE OR REPLACE FUNCTION engagement.keep_award() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF to_jsonb(NEW) - 'user_id' - 'platform_user_id' <> to_jsonb(OLD) - 'user_id' - 'platform_user_id'
      OR NEW.user_id <> engagement.pseudonym(OLD.platform, OLD.user_id)
      OR NEW.platform_user_id <> engagement.pseudonym(OLD.platform, OLD.platform_user_id) THEN
      RAISE EXCEPTION 'awards is only added to: an erasure alone replaces names, by their pseudonyms';
    END IF;
    RETURN NEW;
  END $$`;
