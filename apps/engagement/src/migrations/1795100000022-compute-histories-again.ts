import { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The packed forms of histories and of told progress have changed, and no release has written those before. A history that is
 * missing is computed from the stored events; progress that is missing is told with its next change.
 */
export class ComputeHistoriesAgain1795100000022 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`TRUNCATE engagement.event_histories, engagement.told_progress`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`TRUNCATE engagement.event_histories, engagement.told_progress`);
  }
}
