import { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds links whose partition was passed, and those without a position, without reading all that wait for another partition. */
export class IndexBarriers1795000000026 implements MigrationInterface {
  /** The index is built beside the writers, which no transaction allows. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // What was broken off leaves an index that is not valid.
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS linkage.links_by_barrier_position`);
    await runner.query(`
      CREATE INDEX CONCURRENTLY IF NOT EXISTS links_by_barrier_position
        ON linkage.links (barrier_partition, barrier_offset) WHERE barrier_outbox_id IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS linkage.links_by_barrier_position`);
  }
}
