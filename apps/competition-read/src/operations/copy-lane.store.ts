import { CopyInto, Pool, PoolClient, queryable } from '@podium/runtime/postgres';
import { CopiedTable, copiedColumns } from './copy-lines';
import { Rebuild, noteProgress } from './rebuilds.store';

/**
 * Tables whose rows are many and come in another order than their key's: they are staged and sorted, because an index of
 * millions of rows that grows at random places writes each of its pages over and over. Sorted rows also lie together for
 * the pages that are read later.
 */
const orders: Readonly<Partial<Record<CopiedTable, string>>> = {
  listings: 'place, list, owner, filter, sort, id',
  boardEntries: 'board, player_id',
};

/** Columns of lines that only the sort is for. */
const stageColumns: Readonly<Partial<Record<CopiedTable, string>>> = { listings: 'place bigint' };

/** Memory of one sort, of which two run at once. */
const sortMemory = '256MB';

/** Rows on their way into one table of a set that nobody reads, in one transaction on a connection of its own. */
export class CopyLane {
  private isOpen = true;

  private constructor(
    private readonly client: PoolClient,
    private readonly copy: CopyInto,
    private readonly table: CopiedTable,
    private readonly rebuild: Rebuild,
  ) {}

  /** Begins the transaction with an empty table. */
  static async open(pool: Pool, rebuild: Rebuild, table: CopiedTable): Promise<CopyLane> {
    const client = await pool.connect();
    try {
      await client.query('BEGIN');
      await client.query('SET LOCAL statement_timeout = 0');
      // What a transaction has truncated itself it may fill with frozen rows.
      await client.query(`TRUNCATE ${rebuild.tables[table]}`);
      const target = orders[table]
        ? await makeStage(client, rebuild.tables[table], table)
        : `${rebuild.tables[table]} (${copiedColumns[table]})`;
      return new CopyLane(client, new CopyInto(client, target, { freeze: true }), table, rebuild);
    } catch (error) {
      client.release(true);
      throw error;
    }
  }

  /** Hands over lines; resolves once there is room for more. */
  write(lines: string): Promise<void> {
    return this.copy.write(lines);
  }

  /** Commits, and returns the number of rows. Rejects with `RebuildSupersededError` when the set is another's by now. */
  async finish(): Promise<number> {
    const rows = await this.copy.end();
    await sortStage(this.client, this.rebuild.tables[this.table], this.table);
    await noteProgress(queryable(this.client), this.rebuild, { doneMore: 0 });
    await this.client.query('COMMIT');
    this.close();
    return rows;
  }

  /** Gives up what is not committed; the connection ends, and with it whatever the server is at. */
  async abort(reason: Error): Promise<void> {
    if (!this.isOpen) return;
    await this.copy.abort(reason);
    this.close();
  }

  /** Closed, not kept: a failure may have left anything on it. */
  private close(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.client.release(true);
  }
}

/** What COPY goes into instead of the table: its columns in the order of the lines. */
async function makeStage(client: PoolClient, target: string, table: CopiedTable): Promise<string> {
  const own = stageColumns[table];
  await client.query(
    `CREATE TEMPORARY TABLE stage (${own ? `${own}, ` : ''}LIKE ${target} INCLUDING STORAGE) ON COMMIT DROP`,
  );
  return `stage (${own ? `${own.split(' ')[0]}, ` : ''}${copiedColumns[table]})`;
}

async function sortStage(client: PoolClient, target: string, table: CopiedTable): Promise<void> {
  const order = orders[table];
  if (!order) return;
  const columns = copiedColumns[table];
  await client.query(`SET LOCAL work_mem = '${sortMemory}'`);
  await client.query(`INSERT INTO ${target} (${columns}) SELECT ${columns} FROM stage ORDER BY ${order}`);
}
