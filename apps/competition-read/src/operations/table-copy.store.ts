import { CopyInto, Pool, PoolClient, queryable } from '@podium/runtime/postgres';
import { CopiedTable, copiedColumns, listingPieces } from './copy-lines';
import { Rebuild, noteProgress } from './rebuilds.store';

/**
 * Large tables whose rows arrive in another order than their key's. They are staged and sorted first, because random
 * inserts into an index of millions of rows write each of its pages many times. Sorted rows are also adjacent on disk: the
 * orders are those of pages, so that a page of rows is read from one or two pages of the table.
 */
const orders: Readonly<Partial<Record<CopiedTable, string>>> = {
  listings: 'place, list, owner, filter, sort, id',
  boardEntries: 'board, rank_key, player_id',
};

/** Columns that only the sort uses; staging tables are in pieces of their ranges. */
const stageColumns: Readonly<Partial<Record<CopiedTable, 'place'>>> = { listings: 'place' };

/** Memory of one sort, of which two run at once. */
const sortMemory = '256MB';

/** A COPY of rows into one table of a set that is not live, in one transaction on its own connection. */
export class TableCopy {
  private isOpen = true;

  private constructor(
    private readonly client: PoolClient,
    private readonly copy: CopyInto,
    private readonly table: CopiedTable,
    private readonly rebuild: Rebuild,
  ) {}

  /** Begins the transaction and empties the table. */
  static async open(pool: Pool, rebuild: Rebuild, table: CopiedTable): Promise<TableCopy> {
    const client = await pool.connect();
    try {
      await client.query('BEGIN');
      await client.query('SET LOCAL statement_timeout = 0');
      // COPY with FREEZE needs a table that the same transaction has truncated.
      await client.query(`TRUNCATE ${rebuild.tables[table]}`);
      const target = orders[table]
        ? await makeStage(client, rebuild.tables[table], table)
        : `${rebuild.tables[table]} (${copiedColumns[table]})`;
      // Postgres refuses FREEZE for a table in pieces; the rows of a stage are read once.
      const copy = new CopyInto(client, target, { freeze: !orders[table] });
      return new TableCopy(client, copy, table, rebuild);
    } catch (error) {
      client.release(true);
      throw error;
    }
  }

  /** Writes lines; resolves once more can be written. */
  write(lines: string): Promise<void> {
    return this.copy.write(lines);
  }

  /** Commits, and returns the number of rows. Rejects with `RebuildSupersededError` when another rebuild has taken the set. */
  async finish(): Promise<number> {
    const rows = await this.copy.end();
    await sortStage(this.client, this.rebuild.tables[this.table], this.table);
    await noteProgress(queryable(this.client), this.rebuild, { doneMore: 0 });
    await this.client.query('COMMIT');
    this.close();
    return rows;
  }

  /** Rolls back by closing the connection, which also cancels a running statement. */
  async abort(reason: Error): Promise<void> {
    if (!this.isOpen) return;
    await this.copy.abort(reason);
    this.close();
  }

  /** Closes the connection instead of returning it to the pool: its session may be in any state. */
  private close(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.client.release(true);
  }
}

/** Creates the staging table and returns the target of COPY, its columns in the order of the lines. */
async function makeStage(client: PoolClient, target: string, table: CopiedTable): Promise<string> {
  const place = stageColumns[table];
  await client.query(
    `CREATE TEMPORARY TABLE stage (${place ? `${place} bigint, ` : ''}LIKE ${target} INCLUDING STORAGE)
     ${place ? `PARTITION BY RANGE (${place})` : ''} ON COMMIT DROP`,
  );
  if (!place) return `stage (${copiedColumns[table]})`;
  for (const [piece, { from, to }] of listingPieces.entries())
    await client.query(
      `CREATE TEMPORARY TABLE ${pieceName(piece)} PARTITION OF stage FOR VALUES FROM (${from}) TO (${to}) ON COMMIT DROP`,
    );
  return `stage (${place}, ${copiedColumns[table]})`;
}

/**
 * Writes the staged rows in their order. A piece is emptied as soon as it is written, so that the disk holds rows twice only
 * for one piece: Postgres frees the space of a table that the same transaction has made at once.
 */
async function sortStage(client: PoolClient, target: string, table: CopiedTable): Promise<void> {
  const order = orders[table];
  if (!order) return;
  const columns = copiedColumns[table];
  await client.query(`SET LOCAL work_mem = '${sortMemory}'`);
  for (const stage of stageColumns[table] ? listingPieces.map((_range, piece) => pieceName(piece)) : ['stage']) {
    await client.query(`INSERT INTO ${target} (${columns}) SELECT ${columns} FROM ${stage} ORDER BY ${order}`);
    await client.query(`TRUNCATE ${stage}`);
  }
}

function pieceName(piece: number): string {
  return `stage_${piece}`;
}
