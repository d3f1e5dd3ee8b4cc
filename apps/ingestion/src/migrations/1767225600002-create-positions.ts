import { MigrationInterface, QueryRunner } from 'typeorm';

export class CreatePositions1767225600002 implements MigrationInterface {
  name = 'CreatePositions1767225600002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE ingestion.positions (
        topic text COLLATE "C" NOT NULL,
        partition integer NOT NULL,
        next_offset bigint NOT NULL,
        PRIMARY KEY (topic, partition)
      )`);
    await runner.query(
      `COMMENT ON TABLE ingestion.positions IS 'How far the view has read, written with what it read: an empty or restored table reads again what it lacks'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE ingestion.positions');
  }
}
