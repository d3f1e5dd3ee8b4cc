import { isUtf8 } from 'node:buffer';
import * as fs from 'node:fs';

/** A record of an input file, and where it ends. */
export interface InputRecord {
  /** Without the line end. */
  readonly text: string;
  /** Whether its bytes are UTF-8; others were replaced in `text`, and what was meant is not known. */
  readonly isUtf8: boolean;
  /** The number of its first line, from 1. */
  readonly line: number;
  /** The place after its line end. */
  readonly next: InputPlace;
}

/** A place in a file at which a record begins. */
export interface InputPlace {
  readonly offset: number;
  readonly line: number;
}

/** A longer record is not text that this command understands; it would fill the memory. */
export const maxRecordBytes = 1024 * 1024;
export const chunkBytes = 256 * 1024;
const newline = 0x0a;

/** Where every file begins. */
export const startOfFile: InputPlace = { offset: 0, line: 1 };

/** A file cannot be read on. */
export class RecordReadError extends Error {
  constructor(
    readonly line: number,
    reason: string,
  ) {
    super(`line ${line}: ${reason}`);
  }
}

/** Reads a file line by line with constant memory. Throws RecordReadError for a line of more than 1 MiB. */
export function* readLines(path: string, from: InputPlace): Generator<InputRecord> {
  const file = fs.openSync(path, 'r');
  try {
    yield* linesOf(file, from);
  } finally {
    fs.closeSync(file);
  }
}

function* linesOf(file: number, from: InputPlace): Generator<InputRecord> {
  let held = Buffer.alloc(0);
  let { offset, line } = from;
  let scanned = 0;
  for (let readAt = offset; ;) {
    const chunk = Buffer.allocUnsafe(chunkBytes);
    const bytes = fs.readSync(file, chunk, 0, chunkBytes, readAt);
    readAt += bytes;
    held = Buffer.concat([held, chunk.subarray(0, bytes)]);
    let begin = 0;
    for (; scanned < held.length; scanned++) {
      if (held[scanned] !== newline) continue;
      offset += scanned + 1 - begin;
      const next = { offset, line: line + 1 };
      yield recordOf(held.subarray(begin, scanned), line, next);
      begin = scanned + 1;
      line = next.line;
    }
    held = held.subarray(begin);
    scanned = held.length;
    if (held.length > maxRecordBytes) throw new RecordReadError(line, `it has more than ${maxRecordBytes} bytes`);
    if (bytes > 0) continue;
    if (held.length > 0) yield recordOf(held, line, { offset: offset + held.length, line: line + 1 });
    return;
  }
}

/** Without the carriage return of a line end, and without a byte order mark. */
function recordOf(bytes: Buffer, line: number, next: InputPlace): InputRecord {
  const end = bytes[bytes.length - 1] === 0x0d ? bytes.length - 1 : bytes.length;
  const text = bytes.toString('utf8', 0, end).replace(/^\uFEFF/, '');
  return { text, isUtf8: !hasReplacement(text) || isUtf8(bytes), line, next };
}

/** Whether a text may have been made from bytes that are not UTF-8: only then need they be looked at. */
export function hasReplacement(text: string): boolean {
  return text.includes('\ufffd');
}
