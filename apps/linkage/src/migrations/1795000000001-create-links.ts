import { MigrationInterface, QueryRunner } from 'typeorm';

/** Who is linked, the partner's tokens for it, and linking flows under way. */
export class CreateLinks1795000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE linkage.links (
        link_id uuid PRIMARY KEY,
        integration_id uuid NOT NULL REFERENCES linkage.integrations,
        platform text COLLATE "C" NOT NULL,
        organizer_id text COLLATE "C" NOT NULL,
        user_id text COLLATE "C" NOT NULL,
        sub text COLLATE "C" NOT NULL,
        nickname text NOT NULL,
        state text NOT NULL
          CONSTRAINT links_state_check CHECK (state IN ('linking', 'ready', 'refreshing', 'needs_reauth', 'unlinked')),
        linked_at timestamptz NOT NULL,
        ready_at timestamptz,
        unlink_requested_at timestamptz,
        unlinked_at timestamptz,
        version integer NOT NULL,
        barrier_outbox_id bigint,
        barrier_partition integer,
        barrier_offset bigint,
        CONSTRAINT links_pair_unique UNIQUE (platform, sub, user_id)
      )`);
    await runner.query(
      `COMMENT ON COLUMN linkage.links.sub IS 'User id in the partner system, compared byte for byte'`,
    );
    await runner.query(`
      COMMENT ON COLUMN linkage.links.barrier_outbox_id IS
        'The outbox row whose record every ready_when group must pass before ready_at or unlinked_at; null when passed'`);
    await runner.query(`
      COMMENT ON COLUMN linkage.links.barrier_offset IS
        'End of the partition after that record was acknowledged; null until then'`);
    await runner.query(`
      CREATE UNIQUE INDEX links_active_sub_unique ON linkage.links (platform, sub) WHERE state <> 'unlinked'`);
    await runner.query(`
      CREATE UNIQUE INDEX links_active_user_unique ON linkage.links (platform, user_id) WHERE state <> 'unlinked'`);
    await runner.query(`
      CREATE INDEX links_with_barrier ON linkage.links (barrier_outbox_id) WHERE barrier_outbox_id IS NOT NULL`);
    await runner.query(`CREATE INDEX links_by_user ON linkage.links (user_id)`);
    await runner.query(`
      CREATE TABLE linkage.link_tokens (
        link_id uuid PRIMARY KEY REFERENCES linkage.links ON DELETE CASCADE,
        version integer NOT NULL,
        access_token_enc text NOT NULL,
        refresh_token_enc text,
        previous_refresh_token_enc text,
        expires_at timestamptz,
        refresh_started_at timestamptz,
        refresh_started_by text
      )`);
    await runner.query(`
      COMMENT ON COLUMN linkage.link_tokens.version IS 'Fence: a refresh stores its pair only over the version it read'`);
    await runner.query(`
      COMMENT ON COLUMN linkage.link_tokens.refresh_started_at IS
        'Intent written before the partner is asked, so that a crash before the new pair is stored is found'`);
    await runner.query(`CREATE INDEX link_tokens_by_expiry ON linkage.link_tokens (expires_at)`);
    await runner.query(`
      CREATE INDEX link_tokens_refreshing ON linkage.link_tokens (refresh_started_at)
        WHERE refresh_started_at IS NOT NULL`);
    await runner.query(`
      CREATE TABLE linkage.oauth_flows (
        state_hash bytea PRIMARY KEY,
        integration_id uuid NOT NULL REFERENCES linkage.integrations,
        user_id text COLLATE "C" NOT NULL,
        session_hash bytea NOT NULL,
        browser_hash bytea NOT NULL,
        code_verifier_enc text,
        return_to text,
        created_at timestamptz NOT NULL,
        expires_at timestamptz NOT NULL
      )`);
    await runner.query(`COMMENT ON TABLE linkage.oauth_flows IS 'A row ends with its one use or with its time'`);
    await runner.query(`CREATE INDEX oauth_flows_by_browser ON linkage.oauth_flows (browser_hash, integration_id)`);
    await runner.query(`CREATE INDEX oauth_flows_by_expiry ON linkage.oauth_flows (expires_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE linkage.oauth_flows, linkage.link_tokens, linkage.links`);
  }
}
