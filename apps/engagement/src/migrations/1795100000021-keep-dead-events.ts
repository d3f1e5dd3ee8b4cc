import { MigrationInterface, QueryRunner } from 'typeorm';

/** Which accepted events are dead letters, and which offsets of the events nobody has read. */
export class KeepDeadEvents1795100000021 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE engagement.dead_events (
        digest uuid PRIMARY KEY,
        passed_at timestamptz NOT NULL DEFAULT now()
      )`);
    await runner.query(`
      COMMENT ON TABLE engagement.dead_events IS
        'Every accepted event that became a dead letter, for good like the inbox and with its digest; no personal data'`);
    await runner.query(`
      CREATE TABLE engagement.reading_gaps (
        gap bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        topic text NOT NULL,
        partition integer NOT NULL,
        from_offset bigint NOT NULL,
        until_offset bigint NOT NULL,
        cause text NOT NULL CHECK (cause IN ('expired', 'undecodable')),
        found_at timestamptz NOT NULL DEFAULT now(),
        closed_at timestamptz,
        closed_by text,
        UNIQUE (topic, partition, from_offset, until_offset)
      )`);
    await runner.query(`
      COMMENT ON TABLE engagement.reading_gaps IS
        'Offsets that the positions have passed although nobody has read them. While a gap is open, nobody knows which events are missing'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE engagement.reading_gaps, engagement.dead_events`);
  }
}
