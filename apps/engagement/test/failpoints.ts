import { Pool } from '@podium/runtime/postgres';

/** Tables at whose first write a transaction can be made to fail. */
export const failpoints = [
  'events',
  'event_histories',
  'awards',
  'memberships',
  'due_times',
  'told_progress',
  'outbox',
] as const;

/** Aborts transactions at named tables, as a crash in the middle of their work does. */
export class Failpoints {
  private constructor(private readonly pool: Pool) {}

  static async of(pool: Pool): Promise<Failpoints> {
    await pool.query(`
      CREATE OR REPLACE FUNCTION engagement.fail_here() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'failpoint %', TG_TABLE_NAME; END $$`);
    return new Failpoints(pool);
  }

  /**
   * Runs `work` while each write to these tables fails; returns the table at which it failed, or null: work that writes to none
   * of them succeeds.
   */
  async during(tables: readonly string[], work: () => Promise<void>): Promise<string | null> {
    await this.onEach(
      tables,
      (table) => `CREATE TRIGGER fail_here BEFORE INSERT ON engagement.${table}
        FOR EACH STATEMENT EXECUTE FUNCTION engagement.fail_here()`,
    );
    try {
      await work();
      return null;
    } catch (error) {
      const table = /failpoint (\w+)/.exec(String(error))?.[1];
      if (table === undefined) throw error;
      return table;
    } finally {
      await this.onEach(tables, (table) => `DROP TRIGGER fail_here ON engagement.${table}`);
    }
  }

  private async onEach(tables: readonly string[], statement: (table: string) => string): Promise<void> {
    if (tables.length > 0) await this.pool.query(tables.map(statement).join(';'));
  }
}
