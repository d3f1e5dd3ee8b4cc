import { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateRefusals1767225600001 implements MigrationInterface {
  name = 'CreateRefusals1767225600001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE ingestion.refusals (
        platform text COLLATE "C" NOT NULL,
        day date NOT NULL,
        code text COLLATE "C" NOT NULL,
        platform_user_id text COLLATE "C" NOT NULL,
        refusals bigint NOT NULL,
        first_at timestamptz NOT NULL,
        last_at timestamptz NOT NULL,
        last_message text NOT NULL,
        PRIMARY KEY (platform, day, code, platform_user_id)
      )`);
    await runner.query(
      `COMMENT ON TABLE ingestion.refusals IS 'Events refused per platform, day (UTC), code and user, summed over instances; for operators'`,
    );
    await runner.query(
      `COMMENT ON COLUMN ingestion.refusals.code IS 'A code of the error catalogue, or content_differs: a duplicate id with other content'`,
    );
    await runner.query(
      `COMMENT ON COLUMN ingestion.refusals.platform_user_id IS 'Empty where the user is not known, and for users beyond the bound of a day'`,
    );
    await runner.query('CREATE INDEX refusals_day ON ingestion.refusals (day)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE ingestion.refusals');
  }
}
