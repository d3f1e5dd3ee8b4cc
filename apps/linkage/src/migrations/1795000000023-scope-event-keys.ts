import { MigrationInterface, QueryRunner } from 'typeorm';

/** What an event key may do; in a column of its own, because the release before refuses unknown entries of `scopes`. */
export class ScopeEventKeys1795000000023 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE linkage.api_keys ADD COLUMN event_scopes jsonb`);
    await runner.query(`
      COMMENT ON COLUMN linkage.api_keys.event_scopes IS
        'Of an event key: events:send, events:read; null for both, as in keys of the release before, and for data keys'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE linkage.api_keys DROP COLUMN event_scopes`);
  }
}
