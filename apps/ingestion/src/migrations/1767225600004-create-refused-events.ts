import { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateRefusedEvents1767225600004 implements MigrationInterface {
  name = 'CreateRefusedEvents1767225600004';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE ingestion.refused_events (
        platform text COLLATE "C" NOT NULL,
        event_id text COLLATE "C" NOT NULL,
        code text COLLATE "C" NOT NULL,
        field text NOT NULL,
        message text NOT NULL,
        platform_user_id text COLLATE "C" NOT NULL,
        refusals bigint NOT NULL,
        first_at timestamptz NOT NULL,
        last_at timestamptz NOT NULL,
        last_request_id text NOT NULL,
        PRIMARY KEY (platform, event_id, code)
      )`);
    await runner.query(
      `COMMENT ON TABLE ingestion.refused_events IS 'Refused events for their partners, summed over instances: the newest 10,000 of a platform, for 7 days'`,
    );
    await runner.query(
      `COMMENT ON COLUMN ingestion.refused_events.event_id IS 'Empty where the body has no id that can be read'`,
    );
    await runner.query(
      `COMMENT ON COLUMN ingestion.refused_events.platform_user_id IS 'Empty where it cannot be read; deletes the row when the account is erased'`,
    );
    await runner.query(
      'CREATE INDEX refused_events_newest ON ingestion.refused_events (platform, last_at, event_id, code)',
    );
    await runner.query(
      `CREATE INDEX refused_events_by_account ON ingestion.refused_events (platform, platform_user_id)`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE ingestion.refused_events');
  }
}
