import { isUtf8 } from 'node:buffer';
import * as fs from 'node:fs';
import { CsvErrorCode, Info, Parser, parse } from 'csv-parse';
import { InputPlace, InputRecord, RecordReadError, chunkBytes, hasReplacement, maxRecordBytes } from './input-records';

/** A record of a CSV file: its fields, or why it has none. */
export interface CsvRecord extends InputRecord {
  readonly fields: readonly string[];
  readonly problem?: string;
}

/** What the parser gives with the options `info` and `raw`. */
interface Parsed {
  readonly record: string[];
  readonly raw: string;
}

/**
 * Reads a CSV file (RFC 4180) record by record with constant memory, from the beginning or from the `next` of a record. Line
 * ends between quotes belong to the record; empty lines are left out; a quote inside of a field without quotes is a character.
 * Throws RecordReadError for a record of more than 1 MiB, which is mostly a quote that is not closed.
 */
export function* readCsvRecords(path: string, from: InputPlace): Generator<CsvRecord> {
  const file = fs.openSync(path, 'r');
  const chunks = new CsvChunks(file, from);
  try {
    const chunk = Buffer.allocUnsafe(chunkBytes);
    let readAt = from.offset;
    for (;;) {
      const bytes = fs.readSync(file, chunk, 0, chunkBytes, readAt);
      if (bytes === 0) break;
      readAt += bytes;
      yield* chunks.add(Buffer.from(chunk.subarray(0, bytes)));
    }
    // The last line may have no end, and the parser looks a few bytes ahead; empty lines are no records.
    yield* chunks.add(Buffer.alloc(64, '\n'), readAt);
    yield* chunks.end(readAt);
  } finally {
    chunks.close();
    fs.closeSync(file);
  }
}

/** Gives chunks of a file to the parser, which calls back before `write` returns. */
class CsvChunks {
  private found: CsvRecord[] = [];
  private error?: Error;
  private place: InputPlace;
  private readonly parser: Parser;

  constructor(
    private readonly file: number,
    private readonly from: InputPlace,
  ) {
    this.place = from;
    this.parser = parse({
      ...{ bom: from.offset === 0, info: true, raw: true, max_record_size: maxRecordBytes },
      ...{ record_delimiter: ['\r\n', '\n'], relax_quotes: true, relax_column_count: true },
      // Nothing is kept in the parser's own queue.
      on_record: ((parsed: Parsed, info: Info) => {
        this.push(parsed.raw, parsed.record, info);
        return null;
      }) as never,
    });
    this.parser.on('error', (error) => (this.error ??= error));
    this.parser.resume();
  }

  /** The records that end in a chunk. `fileBytes`: where the file ends, when the chunk is not of it. */
  *add(chunk: Buffer, fileBytes = Infinity): Generator<CsvRecord> {
    this.parser.write(chunk);
    const { found } = this;
    this.found = [];
    for (const record of found) {
      const offset = Math.min(record.next.offset, fileBytes);
      yield { ...record, next: { ...record.next, offset } };
    }
    if (!this.error) return;
    const { code } = this.error as { code?: CsvErrorCode };
    const reason =
      code === 'CSV_MAX_RECORD_SIZE'
        ? `a record has more than ${maxRecordBytes} bytes; is a quote not closed?`
        : this.error.message;
    throw new RecordReadError(this.place.line, reason);
  }

  /** What is left at the end of the file. */
  *end(fileBytes: number): Generator<CsvRecord> {
    const rest = this.bytesFrom(this.place.offset, fileBytes);
    const text = rest.toString('utf8');
    if (text.trim() === '') return;
    const next = { offset: fileBytes, line: this.place.line + 1 };
    yield {
      text,
      isUtf8: isUtf8(rest),
      line: this.place.line,
      next,
      fields: [],
      problem: 'has a quote that is not closed',
    };
  }

  close(): void {
    this.parser.destroy();
  }

  private push(raw: string, fields: string[], info: Info): void {
    const text = raw.replace(/[\r\n]+$/, '');
    const { line, offset } = this.place;
    const next = { offset: this.from.offset + info.bytes, line: line + text.split('\n').length };
    this.place = next;
    if (fields.length > 1 || fields[0] !== '') {
      const isText = !hasReplacement(text) || isUtf8(this.bytesFrom(offset, next.offset));
      this.found.push({ text, isUtf8: isText, line, next, fields });
    }
  }

  private bytesFrom(from: number, to: number): Buffer {
    const bytes = Buffer.alloc(Math.max(0, to - from));
    return bytes.subarray(0, fs.readSync(this.file, bytes, 0, bytes.length, from));
  }
}
