import type { Connection, FieldDef, Pool, QueryResultRow, Submittable } from 'pg';
import { withBinaryArrays } from './binary-arrays';
import { parserOf } from './pool';
import { Queryable } from './queryable';

/** A statement behind others of its batch waits for them, so a batch is short. */
const maxBatch = 8;

/** A statement that each connection prepares at its first use. */
interface Prepared {
  readonly name: string;
  readonly text: string;
  /** Known after the first result: later ones are not described again. */
  columns: readonly Column[] | undefined;
}

interface Column {
  readonly name: string;
  readonly parse: (text: string) => unknown;
}

interface Result {
  readonly rows: QueryResultRow[];
  readonly rowCount: number;
}

interface Call {
  readonly statement: Prepared;
  readonly values: readonly unknown[];
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * Runs single statements, which must only read, as prepared statements. Those of one turn of the event loop share round
 * trips: up to eight are sent in one message and answered in one, which costs both sides a third of eight messages. Each has
 * a snapshot of its own, and one that fails does not affect the others. Throws on more than `maxStatements` texts.
 */
export function preparedBatches(pool: Pool, maxStatements: number): Queryable {
  const statements = new Map<string, Prepared>();
  const waiting: Call[] = [];
  let requestedConnections = 0;
  let isScheduled = false;
  return {
    query: <Row extends QueryResultRow>(text: string, values: readonly unknown[] = []) =>
      new Promise<{ rows: Row[]; rowCount: number | null }>((resolve, reject) => {
        const resolveRows = resolve as (result: Result) => void;
        waiting.push({ statement: statementOf(text), values, resolve: resolveRows, reject });
        schedule();
      }),
  };

  function statementOf(text: string): Prepared {
    const known = statements.get(text);
    if (known !== undefined) return known;
    if (statements.size >= maxStatements)
      throw new Error(`more than ${maxStatements} statements to prepare; the last one: ${text}`);
    const statement: Prepared = { name: `read_${statements.size + 1}`, text, columns: undefined };
    statements.set(text, statement);
    return statement;
  }

  /** Once per turn, after its input has been read: requests that arrived together are sent together. */
  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      requestConnections();
    });
  }

  /** Requests one connection for each batch that waits; the pool measures the wait. */
  function requestConnections(): void {
    while (waiting.length > requestedConnections * maxBatch) {
      requestedConnections++;
      pool.connect((error, client, release) => {
        requestedConnections--;
        const calls = waiting.splice(0, maxBatch);
        if (error || client === undefined) for (const { reject } of calls) reject(error);
        else if (calls.length === 0) release();
        else {
          const batch = new Batch(calls, repeat);
          // As the pool's own queries do: after an error the connection is closed.
          const answered = (failure: Error | null): void => release(failure ?? undefined);
          (client.query as (batch: Submittable, answered: Answered) => unknown)(batch, answered);
        }
      });
    }
  }

  function repeat(calls: readonly Call[]): void {
    waiting.unshift(...calls);
    schedule();
  }
}

type Answered = (error: Error | null) => void;

/** What the driver's connection can do; its types lack a part of it. */
type Wire = Omit<Connection, 'close' | 'bind'> & {
  close(statement: { type: 'S'; name: string }): void;
  bind(bound: { statement: string; values: readonly unknown[] }): void;
};

/** The names that a connection has prepared. */
const preparedBy = new WeakMap<Connection, Set<string>>();

/** Several statements as one query of the driver, which passes it the responses in order. */
class Batch implements Submittable {
  /** Set by the driver. */
  callback: Answered | undefined;
  /** The call that is being answered. */
  private at = 0;
  private rows: QueryResultRow[] = [];
  private prepared = new Set<string>();

  constructor(
    private readonly calls: readonly Call[],
    /** Called for the statements that the server skipped after one had failed. */
    private readonly repeat: (calls: readonly Call[]) => void,
  ) {}

  submit(connection: Connection): void {
    this.prepared = preparedBy.get(connection) ?? new Set();
    preparedBy.set(connection, this.prepared);
    const wire = connection as unknown as Wire;
    wire.stream.cork();
    for (const { statement, values } of this.calls) {
      if (!this.prepared.has(statement.name)) {
        // A failed batch may or may not have prepared it.
        wire.close({ type: 'S', name: statement.name });
        wire.parse({ name: statement.name, text: statement.text, types: [] }, false);
        this.prepared.add(statement.name);
      }
      wire.bind({ statement: statement.name, values: withBinaryArrays(statement.text, values).map(sent) });
      if (statement.columns === undefined) wire.describe({ type: 'P', name: '' }, false);
      wire.execute({ portal: '', rows: '0' }, false);
    }
    wire.sync();
    wire.stream.uncork();
  }

  handleRowDescription({ fields }: { fields: readonly FieldDef[] }): void {
    this.calls[this.at].statement.columns = fields.map(({ name, dataTypeID }) => ({
      name,
      parse: parserOf(dataTypeID) as Column['parse'],
    }));
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    const row: QueryResultRow = {};
    const { columns = [] } = this.calls[this.at].statement;
    for (let index = 0; index < columns.length; index++) {
      const text = fields[index];
      row[columns[index].name] = text === null ? null : columns[index].parse(text);
    }
    this.rows.push(row);
  }

  handleCommandComplete(): void {
    const { rows } = this;
    this.rows = [];
    this.calls[this.at++].resolve({ rows, rowCount: rows.length });
  }

  handleReadyForQuery(): void {
    this.callback?.(null);
  }

  handleError(error: Error): void {
    const open = this.calls.slice(this.at);
    for (const { statement } of open) this.prepared.delete(statement.name);
    const failed = isOfStatement(error) ? open.slice(0, 1) : open;
    for (const { reject } of failed) reject(error);
    if (failed.length < open.length) this.repeat(open.slice(failed.length));
    this.callback?.(error);
  }
}

/** The server refuses one statement; after any other error the connection is lost. */
function isOfStatement(error: Error): boolean {
  return (error as { severity?: unknown }).severity === 'ERROR';
}

/** A parameter as text, or in the binary form. */
function sent(value: unknown): string | Buffer | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' || value instanceof Buffer) return value;
  return Array.isArray(value) ? arrayText(value) : String(value);
}

function arrayText(values: readonly unknown[]): string {
  return `{${values.map((value) => (value === null ? 'NULL' : `"${String(value).replaceAll(/["\\]/g, '\\$&')}"`)).join(',')}}`;
}
