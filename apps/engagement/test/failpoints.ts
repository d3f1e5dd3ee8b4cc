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
      BEGIN RAISE EXCEPTION 'failpoint'; END $$`);
    return new Failpoints(pool);
  }

  /** Runs `work` while each write to the table fails; returns whether it failed: work that writes nothing there succeeds. */
  async during(table: string, work: () => Promise<void>): Promise<boolean> {
    await this.pool.query(`
      CREATE TRIGGER fail_here BEFORE INSERT ON engagement.${table}
        FOR EACH STATEMENT EXECUTE FUNCTION engagement.fail_here()`);
    try {
      await work();
      return false;
    } catch (error) {
      if (!(error instanceof Error && error.message.includes('failpoint'))) throw error;
      return true;
    } finally {
      await this.pool.query(`DROP TRIGGER fail_here ON engagement.${table}`);
    }
  }
}
