import { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A restore by the release before set the version of a budget's row to 0, so that no version tells since when a raised total
 * counts. It is the newest one that states the total that was raised, where no version in between states another; the minus
 * sign lets what is left be computed from the ledger.
 */
export class DateRaisedBudgets1795100000025 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      UPDATE engagement.budgets SET version = -stating.newest
      FROM (
        SELECT task_id, min(stated.version) AS oldest, max(stated.version) AS newest
        FROM engagement.budgets AS raised JOIN engagement.definitions AS stated ON definition_id = task_id
        WHERE raised.version = 0 AND published_at IS NOT NULL AND (body #>> '{budget,total}')::numeric = stated_total
        GROUP BY task_id) AS stating
      WHERE stating.task_id = budgets.task_id AND total <> stated_total AND NOT EXISTS (
        SELECT FROM engagement.definitions AS other
        WHERE other.definition_id = budgets.task_id AND other.published_at IS NOT NULL
          AND other.version BETWEEN stating.oldest AND stating.newest
          AND (other.body #>> '{budget,total}')::numeric IS DISTINCT FROM budgets.stated_total)`);
  }

  /** The release before reads the minus sign too. */
  async down(): Promise<void> {}
}
