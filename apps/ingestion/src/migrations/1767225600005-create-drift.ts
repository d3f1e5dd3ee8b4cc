import { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateDrift1767225600005 implements MigrationInterface {
  name = 'CreateDrift1767225600005';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE ingestion.drift (
        platform text COLLATE "C" NOT NULL,
        day date NOT NULL,
        event_name text COLLATE "C" NOT NULL,
        attribute_name text COLLATE "C" NOT NULL,
        is_negotiated boolean NOT NULL,
        sent bigint NOT NULL,
        not_negotiated bigint NOT NULL,
        dropped bigint NOT NULL,
        not_parsed bigint NOT NULL,
        first_at timestamptz NOT NULL,
        last_at timestamptz NOT NULL,
        PRIMARY KEY (platform, day, event_name, attribute_name)
      )`);
    await runner.query(
      `COMMENT ON TABLE ingestion.drift IS 'Names on which events and contracts differ, per day, summed over instances, for 14 days; no values, no accounts'`,
    );
    await runner.query(
      `COMMENT ON COLUMN ingestion.drift.event_name IS 'As sent; empty, as attribute_name is, for all names above the limit of a day'`,
    );
    await runner.query(
      `COMMENT ON COLUMN ingestion.drift.attribute_name IS 'As sent; empty for the name of the event itself'`,
    );
    await runner.query(
      `COMMENT ON COLUMN ingestion.drift.is_negotiated IS 'As when it was first counted; other names are limited per platform and day'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE ingestion.drift');
  }
}
