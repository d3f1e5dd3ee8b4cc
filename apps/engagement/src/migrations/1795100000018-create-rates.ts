import { MigrationInterface, QueryRunner } from 'typeorm';

/** Rates of exchange of organizers, by UTC day. */
export class CreateRates1795100000018 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE engagement.rates (
        organizer_id text COLLATE "C" NOT NULL,
        from_currency text COLLATE "C" NOT NULL,
        to_currency text COLLATE "C" NOT NULL,
        day date NOT NULL,
        rate numeric(21, 12) NOT NULL CHECK (rate > 0),
        given_by text NOT NULL,
        given_at timestamptz NOT NULL,
        approved_by text,
        approved_at timestamptz,
        PRIMARY KEY (organizer_id, from_currency, to_currency, day),
        CHECK (from_currency <> to_currency),
        CHECK ((approved_by IS NULL) = (approved_at IS NULL)),
        CHECK (approved_by <> given_by)
      )`);
    await runner.query(`
      COMMENT ON TABLE engagement.rates IS
        'One unit of from_currency was so many units of to_currency on a UTC day; only approved ones convert amounts'`);
    await runner.query(`
      CREATE FUNCTION engagement.keep_approved_rate() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF OLD.approved_at IS NOT NULL THEN
          RAISE EXCEPTION 'an approved rate does not change' USING ERRCODE = '23514';
        END IF;
        RETURN NEW;
      END $$`);
    await runner.query(`
      CREATE TRIGGER keep_approved_rate BEFORE UPDATE ON engagement.rates
        FOR EACH ROW EXECUTE FUNCTION engagement.keep_approved_rate()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE engagement.rates`);
    await runner.query(`DROP FUNCTION engagement.keep_approved_rate()`);
  }
}
