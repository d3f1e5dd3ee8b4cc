import { MigrationInterface, QueryRunner } from 'typeorm';

/** What instances with reads measure, for the pace of changes: not logged, because it is worthless after some seconds. */
export class CreateReadLatencies1795300000003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE UNLOGGED TABLE competition_read.read_latencies (
        instance text COLLATE "C" PRIMARY KEY,
        measured_at timestamptz NOT NULL,
        slowdown real
      ) WITH (fillfactor = 50)`);
    await runner.query(`
      COMMENT ON TABLE competition_read.read_latencies IS
        'Instances that serve reads now, twice a second; a row that is older than some seconds has no meaning'`);
    await runner.query(`
      COMMENT ON COLUMN competition_read.read_latencies.slowdown IS
        'Latency while changes may be applied, divided by that while they are paused; null until both are known'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE competition_read.read_latencies`);
  }
}
