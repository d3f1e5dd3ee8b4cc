import { MigrationInterface, QueryRunner } from 'typeorm';

/** Orders to read events again, by which running instances learn of them. */
export class CreateReplays1795100000005 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE engagement.replays (
        replay bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        kind text NOT NULL CHECK (kind IN ('rebuild', 'reread')),
        topic text NOT NULL,
        ordered_by text NOT NULL,
        began_at timestamptz NOT NULL DEFAULT now(),
        finished_at timestamptz
      )`);
    await runner.query(`
      COMMENT ON TABLE engagement.replays IS
        'The highest number is that of the positions in force: a batch that was read by older ones is refused. While a rebuild is not finished, definitions only gather state'`);
    await runner.query(`
      CREATE UNIQUE INDEX replays_one_rebuild ON engagement.replays (kind)
        WHERE kind = 'rebuild' AND finished_at IS NULL`);
    await runner.query(`
      CREATE TABLE engagement.replay_partitions (
        replay bigint NOT NULL REFERENCES engagement.replays,
        partition integer NOT NULL,
        from_offset bigint NOT NULL,
        until_offset bigint NOT NULL,
        PRIMARY KEY (replay, partition)
      )`);
    await runner.query(`
      COMMENT ON COLUMN engagement.replay_partitions.until_offset IS
        'The position that the partition had before: the replay is finished once all are there again'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE engagement.replay_partitions, engagement.replays`);
  }
}
