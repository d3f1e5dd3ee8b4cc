import { outboxTableSql } from '@podium/runtime/outbox';
import { MigrationInterface, QueryRunner } from 'typeorm';
import { schema } from './schema';

/** Records that leave for Kafka in the order of their ids. */
export class CreateOutbox1795000000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(outboxTableSql(schema));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE linkage.outbox`);
  }
}
