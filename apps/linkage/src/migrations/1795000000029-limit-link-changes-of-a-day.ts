import { MigrationInterface, QueryRunner } from 'typeorm';

/** How many changes of their links users may make in a day: the links that a user ever had are read with each of their events. */
export class LimitLinkChangesOfADay1795000000029 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE linkage.link_change_rates ADD COLUMN day_arrival_at timestamptz`);
    await runner.query(`
      COMMENT ON COLUMN linkage.link_change_rates.day_arrival_at IS
        'As arrival_at, of the limit of a day; the release before does not write it'`);
    await runner.query(`
      COMMENT ON TABLE linkage.link_change_rates IS
        'Users who began to link or unlinked; a row whose arrivals have passed has no meaning, at the latest after a day'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE linkage.link_change_rates DROP COLUMN day_arrival_at`);
  }
}
