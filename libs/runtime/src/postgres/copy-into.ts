import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import type { PoolClient } from 'pg';
import { CopyStreamQuery, from } from 'pg-copy-streams';

/** Rows on their way into a table by COPY, in its text format; the client can do nothing else until the end. */
export class CopyInto {
  private readonly stream: CopyStreamQuery;
  private readonly done: Promise<void>;
  private failure: Error | undefined;

  /**
   * Begins to copy into `target`, a table with its columns in parentheses. `freeze` asks for rows that need no vacuum, for
   * tables that this transaction has truncated. `bufferBytes` may wait here before `write` waits.
   */
  constructor(client: PoolClient, target: string, { freeze = false, bufferBytes = 4 * 1024 * 1024 } = {}) {
    const options = freeze ? ' WITH (FREEZE)' : '';
    this.stream = client.query(from(`COPY ${target} FROM STDIN${options}`, { highWaterMark: bufferBytes }));
    // The client goes on writing to a connection that a failure has taken from it, and throws, unless it is destroyed.
    this.stream.on('error', (error: Error) => {
      this.failure ??= error;
      this.stream.destroy();
    });
    this.done = finished(this.stream);
    // Whoever writes or ends hears of a failure; until then it is nobody's.
    this.done.catch(() => undefined);
  }

  /** Hands over whole lines (`copyLine`); resolves once there is room for more. Rejects with what the server says. */
  async write(lines: string): Promise<void> {
    if (this.failure) throw this.failure;
    if (lines === '' || this.stream.write(lines)) return;
    await Promise.race([once(this.stream, 'drain'), this.done]);
  }

  /** Resolves with the number of rows once the server has all of them. */
  async end(): Promise<number> {
    this.stream.end();
    await this.done;
    return this.stream.rowCount;
  }

  /** Gives up; resolves once the server knows, and the transaction is to be rolled back. */
  async abort(reason: Error): Promise<void> {
    this.stream.destroy(reason);
    await this.done.catch(() => undefined);
  }
}

/** A row in the text format of COPY; null is NULL. Texts must not hold a NUL, which Postgres has no place for. */
export function copyLine(values: readonly (string | number | null)[]): string {
  let line = '';
  for (const [index, value] of values.entries()) {
    if (index > 0) line += '\t';
    line += value === null ? '\\N' : typeof value === 'number' ? value : escaped(value);
  }
  return `${line}\n`;
}

/** Long texts rarely need it, and looking for one character is much faster than an expression. */
function escaped(text: string): string {
  if (!text.includes('\\') && !text.includes('\n') && !text.includes('\r') && !text.includes('\t')) return text;
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t');
}
