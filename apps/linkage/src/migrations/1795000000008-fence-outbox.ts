import { dropOutboxTimelineSql, outboxTimelineSql } from '@podium/runtime/outbox';
import { MigrationInterface, QueryRunner } from 'typeorm';
import { schema } from './schema';

/** After a failover the outbox is compared with its topics before it may be written. */
export class FenceOutbox1795000000008 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of outboxTimelineSql(schema)) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of dropOutboxTimelineSql(schema)) await runner.query(statement);
  }
}
