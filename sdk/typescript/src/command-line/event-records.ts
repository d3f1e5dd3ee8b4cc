import { readCsvRecords } from './csv-records';
import { CsvMapping, MappingOptions, bodyOfCsv, csvMapping } from './csv-mapping';
import { EventBody, EventBodyOptions, bodyOfJson, notUtf8, recordOfRefusedLine } from './event-body';
import { InputPlace, readLines, startOfFile } from './input-records';
import { UsageError } from './terminal';

/** How a file has its events: each in JSON on a line of its own, or in columns. */
export type EventFormat = 'ndjson' | 'csv';

/** A record of a file of events. */
export interface EventRecord {
  /** The number of its first line, from 1. */
  readonly line: number;
  readonly next: InputPlace;
  /** As it is in the file; of a report's line that has no event, as it was in the file that the report is about. */
  readonly text: string;
  /** Whether its bytes are UTF-8; others were replaced in `text`. */
  readonly isUtf8: boolean;
  readonly body: EventBody;
}

/** How a file is read. */
export interface EventFile extends EventBodyOptions {
  readonly path: string;
  readonly format: EventFormat;
  readonly mapping: MappingOptions;
}

/** The format that the name of a file says; undefined for another name. */
export function eventFormatOf(path: string): EventFormat | undefined {
  if (/\.(ndjson|jsonl)$/i.test(path)) return 'ndjson';
  return /\.csv$/i.test(path) ? 'csv' : undefined;
}

/**
 * Reads events from a place in a file, with constant memory; empty lines are left out. Throws UsageError for a CSV header
 * that gives no events, RecordReadError for a file that cannot be read on.
 */
export function* readEvents(file: EventFile, from: InputPlace = startOfFile): Generator<EventRecord> {
  if (file.format === 'csv') return yield* csvEvents(file, from);
  for (const { line, next, ...written } of readLines(file.path, from)) {
    if (written.text.trim() === '') continue;
    const { text, isUtf8 } = (written.isUtf8 ? recordOfRefusedLine(written.text) : undefined) ?? written;
    yield { line, next, text, isUtf8, body: isUtf8 ? bodyOfJson(text, file) : invalid(notUtf8) };
  }
}

function* csvEvents(file: EventFile, from: InputPlace): Generator<EventRecord> {
  const { mapping, next: first } = headerOf(file);
  for (const record of readCsvRecords(file.path, from.offset < first.offset ? first : from)) {
    const { text, isUtf8, line, next, fields, problem } = record;
    const reason = problem === undefined ? (isUtf8 ? undefined : notUtf8) : `The record ${problem}.`;
    const body = reason === undefined ? bodyOfCsv(fields, mapping, file) : invalid(reason);
    yield { line, next, text, isUtf8, body };
  }
}

/** The mapping of the first line, and the place after it. */
function headerOf({ path, mapping }: EventFile): { mapping: CsvMapping; next: InputPlace } {
  for (const { fields, next } of readCsvRecords(path, startOfFile))
    return {
      mapping: csvMapping(
        fields.map((column) => column.trim()),
        mapping,
      ),
      next,
    };
  throw new UsageError(`${path} is empty: its first line must name the columns.`);
}

function invalid(message: string): EventBody {
  return { problem: { code: 'invalid_request', field: '', message } };
}
