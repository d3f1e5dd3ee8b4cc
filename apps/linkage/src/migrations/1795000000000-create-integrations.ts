import { MigrationInterface, QueryRunner } from 'typeorm';

/** What operators manage: partner integrations, their contracts, API keys, and who changed what. */
export class CreateIntegrations1795000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE linkage.integrations (
        integration_id uuid PRIMARY KEY,
        platform text COLLATE "C" NOT NULL CONSTRAINT integrations_platform_unique UNIQUE,
        partner text COLLATE "C" NOT NULL,
        organizer_id text COLLATE "C" NOT NULL,
        display_name text NOT NULL,
        status text NOT NULL CONSTRAINT integrations_status_check CHECK (status IN ('active', 'paused')),
        authorization_url text NOT NULL,
        base_url text NOT NULL,
        client_id text NOT NULL,
        client_secret_enc text NOT NULL,
        previous_client_secret_enc text,
        profile jsonb NOT NULL,
        version integer NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT integrations_partner_organizer_unique UNIQUE (partner, organizer_id)
      )`);
    await runner.query(`
      COMMENT ON TABLE linkage.integrations IS
        'One platform name and exactly one organizer each (specification, Limits); written through its entity only'`);
    await runner.query(`
      COMMENT ON COLUMN linkage.integrations.client_secret_enc IS 'Sealed by the vault, bound to this row'`);
    await runner.query(`
      CREATE TABLE linkage.contracts (
        integration_id uuid NOT NULL REFERENCES linkage.integrations,
        version integer NOT NULL CHECK (version >= 1),
        events jsonb NOT NULL,
        in_force_from timestamptz NOT NULL,
        outbox_id bigint NOT NULL,
        barrier_offset bigint,
        in_force_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        created_by text NOT NULL,
        PRIMARY KEY (integration_id, version)
      )`);
    await runner.query(`
      COMMENT ON COLUMN linkage.contracts.barrier_offset IS
        'End of the topic after the record with this version was acknowledged; null until then'`);
    await runner.query(`
      COMMENT ON COLUMN linkage.contracts.in_force_at IS
        'When every live instance was seen to have this version and its time had come; null until then'`);
    await runner.query(`
      CREATE INDEX contracts_not_in_force ON linkage.contracts (outbox_id) WHERE in_force_at IS NULL`);
    await runner.query(`
      CREATE TABLE linkage.api_keys (
        key_id text COLLATE "C" PRIMARY KEY,
        kind text NOT NULL CHECK (kind IN ('event', 'data')),
        hash text NOT NULL,
        integration_id uuid REFERENCES linkage.integrations,
        organizer_id text COLLATE "C",
        scopes jsonb NOT NULL,
        rate_per_second integer NOT NULL CHECK (rate_per_second >= 1),
        not_after timestamptz,
        revoked_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        created_by text NOT NULL,
        CONSTRAINT api_keys_event_has_integration CHECK ((kind = 'event') = (integration_id IS NOT NULL))
      )`);
    await runner.query(
      `COMMENT ON COLUMN linkage.api_keys.hash IS 'SHA-256 of the whole key, hex; the key is kept nowhere'`,
    );
    await runner.query(`CREATE INDEX api_keys_by_integration ON linkage.api_keys (integration_id, created_at)`);
    await runner.query(`
      CREATE TABLE linkage.audit (
        id bigserial PRIMARY KEY,
        at timestamptz NOT NULL DEFAULT now(),
        actor text NOT NULL,
        action text NOT NULL,
        subject text NOT NULL,
        organizer_id text COLLATE "C",
        detail jsonb NOT NULL
      )`);
    await runner.query(`COMMENT ON TABLE linkage.audit IS 'Who changed what; append only, without secrets'`);
    await runner.query(`CREATE INDEX audit_by_organizer ON linkage.audit (organizer_id, id)`);
    await runner.query(`CREATE INDEX audit_by_subject ON linkage.audit (subject, id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE linkage.audit, linkage.api_keys, linkage.contracts, linkage.integrations`);
  }
}
