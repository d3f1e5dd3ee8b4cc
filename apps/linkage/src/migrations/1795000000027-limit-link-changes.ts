import { MigrationInterface, QueryRunner } from 'typeorm';

/** How many changes of their links users may make now: not logged, because a row is worthless after a minute. */
export class LimitLinkChanges1795000000027 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE UNLOGGED TABLE linkage.link_change_rates (
        user_digest bytea PRIMARY KEY,
        arrival_at timestamptz NOT NULL
      ) WITH (fillfactor = 50)`);
    await runner.query(`
      COMMENT ON TABLE linkage.link_change_rates IS
        'Users who began to link or unlinked within the last minute; a row whose arrival has passed has no meaning'`);
    await runner.query(`
      COMMENT ON COLUMN linkage.link_change_rates.user_digest IS 'SHA-256 of the user id'`);
    await runner.query(`
      COMMENT ON COLUMN linkage.link_change_rates.arrival_at IS
        'Theoretical arrival time of the next change (GCRA): later than now by what is used of the burst'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE linkage.link_change_rates`);
  }
}
