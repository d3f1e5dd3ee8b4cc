import { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Retention deletes about as many stored events as arrive. By default autovacuum waits for a fifth of all rows, more than
 * a month of events: for so long their space is not used again, and the first index entries that expire are read in vain.
 */
export class VacuumEventsOften1795100000023 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE engagement.events SET (autovacuum_vacuum_scale_factor = 0.05)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE engagement.events RESET (autovacuum_vacuum_scale_factor)`);
  }
}
