import { MigrationInterface, QueryRunner } from 'typeorm';

/** When each link's user info was last read, and flows by user. */
export class CheckUserInfo1795000000003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE linkage.links ADD COLUMN user_info_at timestamptz NOT NULL DEFAULT now()`);
    await runner.query(`
      COMMENT ON COLUMN linkage.links.user_info_at IS
        'When the partner was last asked who the user is; set before asking, so that two instances do not ask both'`);
    await runner.query(`CREATE INDEX links_by_user_info ON linkage.links (user_info_at) WHERE state = 'ready'`);
    await runner.query(`CREATE INDEX oauth_flows_by_user ON linkage.oauth_flows (user_id, created_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX linkage.oauth_flows_by_user`);
    await runner.query(`ALTER TABLE linkage.links DROP COLUMN user_info_at`);
  }
}
