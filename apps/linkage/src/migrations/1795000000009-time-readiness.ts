import { MigrationInterface, QueryRunner } from 'typeorm';

/** Since when a link waits for its readiness: a renewed link keeps its `linked_at`. */
export class TimeReadiness1795000000009 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE linkage.links ADD COLUMN barrier_at timestamptz`);
    await runner.query(`
      COMMENT ON COLUMN linkage.links.barrier_at IS 'When the record of the last barrier was written; stays afterwards'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE linkage.links DROP COLUMN barrier_at`);
  }
}
