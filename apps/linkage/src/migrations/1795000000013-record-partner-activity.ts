import { MigrationInterface, QueryRunner } from 'typeorm';

/** What operators see of the work with a partner, and what a linking flow must remember for it. */
export class RecordPartnerActivity1795000000013 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE linkage.partner_counts (
        integration_id uuid NOT NULL,
        hour timestamptz NOT NULL,
        kind text NOT NULL,
        name text NOT NULL,
        outcome text NOT NULL,
        detail text NOT NULL,
        count bigint NOT NULL,
        durations bigint[] NOT NULL,
        last_at timestamptz NOT NULL,
        PRIMARY KEY (integration_id, hour, kind, name, outcome, detail)
      )`);
    await runner.query(`
      COMMENT ON TABLE linkage.partner_counts IS
        'Steps of linking flows and requests to partners per hour, without users; kept for 30 days'`);
    await runner.query(`CREATE INDEX partner_counts_by_hour ON linkage.partner_counts (hour)`);
    await runner.query(`
      CREATE TABLE linkage.partner_exchanges (
        exchange_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        integration_id uuid NOT NULL,
        at timestamptz NOT NULL,
        failed boolean NOT NULL,
        operation text NOT NULL,
        detail jsonb NOT NULL,
        user_digest uuid NOT NULL
      )`);
    await runner.query(`
      COMMENT ON TABLE linkage.partner_exchanges IS
        'Requests to partners with their responses, redacted; the newest of each integration, for 7 days'`);
    await runner.query(`
      COMMENT ON COLUMN linkage.partner_exchanges.user_digest IS 'Deletes the exchange when its user is erased'`);
    await runner.query(`
      CREATE INDEX partner_exchanges_by_integration
        ON linkage.partner_exchanges (integration_id, failed, exchange_id)`);
    await runner.query(`CREATE INDEX partner_exchanges_by_user ON linkage.partner_exchanges (user_digest)`);
    await runner.query(`
      CREATE TABLE linkage.partner_breakers (
        platform text COLLATE "C" NOT NULL,
        instance text NOT NULL,
        state text NOT NULL,
        since timestamptz NOT NULL,
        seen_at timestamptz NOT NULL,
        PRIMARY KEY (platform, instance)
      )`);
    await runner.query(`
      COMMENT ON TABLE linkage.partner_breakers IS 'Circuit breakers that are not closed, per instance'`);
    await runner.query(`
      CREATE TABLE linkage.test_links (
        test_link_id uuid PRIMARY KEY,
        integration_id uuid NOT NULL,
        entry_hash bytea NOT NULL CONSTRAINT test_links_entry_unique UNIQUE,
        requested_by text NOT NULL,
        requested_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        expires_at timestamptz NOT NULL,
        opened_at timestamptz,
        result jsonb
      )`);
    await runner.query(`
      COMMENT ON TABLE linkage.test_links IS
        'Test links of operators with their redacted results; a row is deleted an hour after its time'`);
    await runner.query(`
      ALTER TABLE linkage.oauth_flows ADD COLUMN redirect_uri text, ADD COLUMN test_link_id uuid`);
    await runner.query(`
      COMMENT ON COLUMN linkage.oauth_flows.redirect_uri IS
        'As sent, because the token request repeats it; null in flows of the release before'`);
    await runner.query(`ALTER TABLE linkage.token_refreshes ADD COLUMN integration_id uuid`);
    await runner.query(`
      COMMENT ON COLUMN linkage.token_refreshes.integration_id IS
        'Of the link, for the list of operators; null in rows of the release before'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE linkage.token_refreshes DROP COLUMN integration_id`);
    await runner.query(`ALTER TABLE linkage.oauth_flows DROP COLUMN redirect_uri, DROP COLUMN test_link_id`);
    await runner.query(`
      DROP TABLE linkage.test_links, linkage.partner_breakers, linkage.partner_exchanges, linkage.partner_counts`);
  }
}
