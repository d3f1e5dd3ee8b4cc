import { MigrationInterface, QueryRunner } from 'typeorm';

const inboxPartitions = 16;

/** The inbox, users, stored events, running state and where each topic's partition has been applied up to. */
export class CreateEvents1795100000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE engagement.inbox (digest uuid PRIMARY KEY) PARTITION BY HASH (digest)`);
    await runner.query(`
      COMMENT ON TABLE engagement.inbox IS
        'Every applied event, for good: the first 16 bytes of SHA-256 over the length-prefixed (platform, event id), kept in the 16-byte type uuid; about 115 bytes an event with its index; no personal data'`);
    for (let remainder = 0; remainder < inboxPartitions; remainder++)
      await runner.query(`
        CREATE TABLE engagement.inbox_${remainder} PARTITION OF engagement.inbox
          FOR VALUES WITH (MODULUS ${inboxPartitions}, REMAINDER ${remainder})`);
    await runner.query(`
      CREATE TABLE engagement.users (
        user_ref bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        platform text COLLATE "C" NOT NULL,
        user_id text COLLATE "C" NOT NULL,
        UNIQUE (platform, user_id)
      )`);
    await runner.query(`
      COMMENT ON TABLE engagement.users IS
        'One row per (platform, user); its lock, taken in key order, guards all derived state of the user'`);
    await runner.query(`CREATE UNIQUE INDEX users_of_platform ON engagement.users (platform, user_ref)`);
    await runner.query(`
      CREATE TABLE engagement.events (
        user_ref bigint NOT NULL,
        month integer NOT NULL,
        name text COLLATE "C" NOT NULL,
        created_at bigint NOT NULL,
        event_id text COLLATE "C" NOT NULL,
        kind text NOT NULL CHECK (kind IN ('one_off', 'repeatable')),
        platform_user_id text COLLATE "C" NOT NULL,
        attributes jsonb NOT NULL,
        contract_version integer NOT NULL,
        link_id text NOT NULL,
        linked_at bigint NOT NULL,
        received_at bigint NOT NULL,
        PRIMARY KEY (user_ref, month, name, created_at, event_id)
      )`);
    await runner.query(`
      COMMENT ON TABLE engagement.events IS
        'The newest 500 per user, month and name (specification, Limits); repeatable ones for six calendar months'`);
    await runner.query(`COMMENT ON COLUMN engagement.events.month IS 'yyyymm, UTC, of created_at'`);
    await runner.query(`COMMENT ON COLUMN engagement.events.created_at IS 'Unix seconds, as the partner says'`);
    await runner.query(`COMMENT ON COLUMN engagement.events.received_at IS 'Unix milliseconds at the gateway'`);
    await runner.query(`
      COMMENT ON COLUMN engagement.events.attributes IS 'List of [name, value] in the order of arrival, values as they came'`);
    await runner.query(`
      CREATE INDEX events_expiring ON engagement.events (created_at) WHERE kind = 'repeatable'`);
    await runner.query(`
      CREATE TABLE engagement.positions (
        topic text NOT NULL,
        partition integer NOT NULL,
        next_offset bigint NOT NULL,
        PRIMARY KEY (topic, partition)
      )`);
    await runner.query(`
      COMMENT ON TABLE engagement.positions IS
        'Written in the transaction of the batch; the consumer seeks here, commits to the group only show lag'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE engagement.positions, engagement.events, engagement.users, engagement.inbox`);
  }
}
