import { MigrationInterface, QueryRunner } from 'typeorm';

/** Binds flows and tokens to the partner's server that they belong to. */
export class BindToOrigin1795000000007 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const table of ['integrations', 'oauth_flows', 'link_tokens'])
      await runner.query(`ALTER TABLE linkage.${table} ADD COLUMN origin_version integer NOT NULL DEFAULT 1`);
    await runner.query(`
      COMMENT ON COLUMN linkage.integrations.origin_version IS
        'Grows when base_url gets another origin: codes and tokens of another version are not sent there'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['integrations', 'oauth_flows', 'link_tokens'])
      await runner.query(`ALTER TABLE linkage.${table} DROP COLUMN origin_version`);
  }
}
