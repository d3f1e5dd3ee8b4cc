/** A connection that runs SQL. */
interface Database {
  query(text: string): Promise<unknown>;
}

/**
 * Tables that can be reset to an earlier state, as in a failover to a standby that lacks the last commits. Sequences stay
 * ahead, as they do there.
 */
export class EarlierTables {
  constructor(
    private readonly database: Database,
    private readonly schema: string,
    private readonly tables: readonly string[],
  ) {}

  /** Saves the current state of the tables. */
  async keep(): Promise<void> {
    const copies = this.tables.map(
      (table) => `DROP TABLE IF EXISTS public.${table}; CREATE TABLE public.${table} AS TABLE ${this.schema}.${table}`,
    );
    await this.database.query(copies.join('; '));
  }

  /** Restores the saved state, in one transaction. */
  async goBack(): Promise<void> {
    const names = this.tables.map((table) => `${this.schema}.${table}`);
    const inserts = this.tables.map(
      (table) => `INSERT INTO ${this.schema}.${table} OVERRIDING SYSTEM VALUE TABLE public.${table}`,
    );
    await this.database.query(`BEGIN; TRUNCATE ${names.join(', ')}; ${inserts.join('; ')}; COMMIT`);
  }
}
