import { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The rate of a partner's requests as a property of its integration; the release before writes the default. The name differs
 * from the column of api_keys, because that release joins the two tables.
 */
export class RateIntegrations1795000000022 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE linkage.integrations ADD COLUMN event_rate_per_second integer NOT NULL DEFAULT 40`);
    await runner.query(`
      COMMENT ON COLUMN linkage.integrations.event_rate_per_second IS
        'Requests per second at the partner edge over all keys of the platform, and their burst'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE linkage.integrations DROP COLUMN event_rate_per_second`);
  }
}
