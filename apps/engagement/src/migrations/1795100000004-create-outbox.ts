import { outboxTableSql } from '@podium/runtime/outbox';
import { MigrationInterface, QueryRunner } from 'typeorm';

/** Records that leave for Kafka in the order of their ids. */
export class CreateOutbox1795100000004 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(outboxTableSql('engagement'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE engagement.outbox`);
  }
}
