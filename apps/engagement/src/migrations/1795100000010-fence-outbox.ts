import { dropOutboxTimelineSql, outboxTimelineSql } from '@podium/runtime/outbox';
import { MigrationInterface, QueryRunner } from 'typeorm';

/** After a failover the outbox is compared with its topics before it may be written. */
export class FenceOutbox1795100000010 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of outboxTimelineSql('engagement')) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of dropOutboxTimelineSql('engagement')) await runner.query(statement);
  }
}
