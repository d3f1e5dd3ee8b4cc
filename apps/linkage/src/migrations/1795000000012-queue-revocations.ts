import { MigrationInterface, QueryRunner } from 'typeorm';

/** Tokens of links that were unlinked, until their partner has revoked them. */
export class QueueRevocations1795000000012 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE linkage.token_revocations (
        revocation_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        link_id uuid NOT NULL REFERENCES linkage.links ON DELETE CASCADE,
        integration_id uuid NOT NULL,
        origin_version integer NOT NULL,
        access_token_enc text NOT NULL,
        refresh_token_enc text,
        attempts integer NOT NULL DEFAULT 0,
        requested_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        due_at timestamptz NOT NULL DEFAULT clock_timestamp()
      )`);
    await runner.query(`
      COMMENT ON TABLE linkage.token_revocations IS
        'A row ends with the answer of the partner, at the latest after a day; sealed as in link_tokens'`);
    await runner.query(`CREATE INDEX token_revocations_due ON linkage.token_revocations (integration_id, due_at)`);
    await runner.query(`CREATE INDEX token_revocations_by_link ON linkage.token_revocations (link_id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE linkage.token_revocations`);
  }
}
