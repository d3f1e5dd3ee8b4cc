import { MigrationInterface, QueryRunner } from 'typeorm';

/** A journal of refreshes, when each is due, and why a link needs a log-in. */
export class JournalRefreshes1795000000010 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE linkage.token_refreshes (
        refresh_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        link_id uuid NOT NULL REFERENCES linkage.link_tokens ON DELETE CASCADE,
        token_version integer NOT NULL,
        instance text NOT NULL,
        begun_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        ended_at timestamptz,
        outcome text
          CONSTRAINT token_refreshes_outcome_check CHECK (outcome IN ('refreshed', 'ended', 'unused', 'lost')),
        CONSTRAINT token_refreshes_ended_check CHECK ((ended_at IS NULL) = (outcome IS NULL))
      )`);
    await runner.query(`
      COMMENT ON TABLE linkage.token_refreshes IS
        'A row is committed before a refresh token is sent, and closed with what became of it; without tokens'`);
    await runner.query(`
      COMMENT ON COLUMN linkage.token_refreshes.token_version IS 'Of link_tokens: which generation was sent'`);
    await runner.query(`
      COMMENT ON COLUMN linkage.token_refreshes.outcome IS
        'lost: sent, and the answer did not arrive; unused: the partner did not take the token'`);
    await runner.query(`
      CREATE INDEX token_refreshes_by_link ON linkage.token_refreshes (link_id, token_version)`);
    await runner.query(`CREATE INDEX token_refreshes_by_end ON linkage.token_refreshes (ended_at)`);
    await runner.query(`
      ALTER TABLE linkage.link_tokens ADD COLUMN refresh_integration_id uuid, ADD COLUMN refresh_due_at timestamptz`);
    await runner.query(`
      COMMENT ON COLUMN linkage.link_tokens.refresh_due_at IS
        'When background work refreshes; null without a refresh token, and in rows of the release before'`);
    await runner.query(`
      COMMENT ON COLUMN linkage.link_tokens.refresh_integration_id IS
        'Of the link, for the index of due refreshes; the release before joins by the name integration_id'`);
    await runner.query(`ALTER TABLE linkage.links ADD COLUMN reauth_reason text`);
    await runner.query(`
      COMMENT ON COLUMN linkage.links.reauth_reason IS 'Why only a log-in repairs it; valid in the state needs_reauth'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE linkage.links DROP COLUMN reauth_reason`);
    await runner.query(`
      ALTER TABLE linkage.link_tokens DROP COLUMN refresh_integration_id, DROP COLUMN refresh_due_at`);
    await runner.query(`DROP TABLE linkage.token_refreshes`);
  }
}
