import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import type { PoolClient } from 'pg';
import { CopyStreamQuery, from } from 'pg-copy-streams';

/** A running COPY in text format; the client cannot run other statements until its end. */
export class CopyInto {
  private readonly stream: CopyStreamQuery;
  private readonly done: Promise<void>;
  private failure: Error | undefined;

  /**
   * Begins to copy into `target`, a table with its columns in parentheses. `freeze` writes rows that need no vacuum, for
   * tables that this transaction has truncated. `write` waits when more than `bufferBytes` are buffered.
   */
  constructor(client: PoolClient, target: string, { freeze = false, bufferBytes = 4 * 1024 * 1024 } = {}) {
    const options = freeze ? ' WITH (FREEZE)' : '';
    this.stream = client.query(from(`COPY ${target} FROM STDIN${options}`, { highWaterMark: bufferBytes }));
    // Unless destroyed, the stream writes to a connection that a failure has taken from it, and throws.
    this.stream.on('error', (error: Error) => {
      this.failure ??= error;
      this.stream.destroy();
    });
    this.done = finished(this.stream);
    // Writes and the end report a failure; until then it has no listener.
    this.done.catch(() => undefined);
  }

  /** Writes whole lines (`copyLine`); resolves once the buffer has space. Rejects with the server's error. */
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

  /** Aborts the COPY; resolves once the server knows. The caller must roll the transaction back. */
  async abort(reason: Error): Promise<void> {
    this.stream.destroy(reason);
    await this.done.catch(() => undefined);
  }
}

/** A row in the text format of COPY; null is NULL. Texts must not contain NUL, which Postgres cannot store. */
export function copyLine(values: readonly (string | number | null)[]): string {
  let line = '';
  for (const [index, value] of values.entries()) {
    if (index > 0) line += '\t';
    line += value === null ? '\\N' : typeof value === 'number' ? value : escaped(value);
  }
  return `${line}\n`;
}

/** Long texts rarely need escaping, and a search for single characters is much faster than an expression. */
function escaped(text: string): string {
  if (!text.includes('\\') && !text.includes('\n') && !text.includes('\r') && !text.includes('\t')) return text;
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t');
}
