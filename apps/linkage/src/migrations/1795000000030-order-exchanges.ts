import { MigrationInterface, QueryRunner } from 'typeorm';

/** When the code of a link's tokens was exchanged: of two log-ins at once the link keeps the tokens of the later one. */
export class OrderExchanges1795000000030 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE linkage.link_tokens ADD COLUMN exchanged_at timestamptz`);
    await runner.query(`
      COMMENT ON COLUMN linkage.link_tokens.exchanged_at IS
        'When the tokens of the code arrived, which refreshes have renewed since; the release before does not write it'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE linkage.link_tokens DROP COLUMN exchanged_at`);
  }
}
