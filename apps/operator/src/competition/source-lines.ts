import { isUtf8 } from 'node:buffer';
import { constants, createReadStream } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { UsageError } from '../cli/usage-error';

/** Longest line that is read, bytes; Kafka accepts no larger records either. */
const lineBytesMax = 1024 * 1024;

/** Without a byte order mark: programs of Windows begin a file with one. */
const utf8 = new TextDecoder();

/** A line with its number from 1: its text, or why it cannot be read. */
export type SourceLine = { readonly number: number } & ({ readonly text: string } | { readonly unreadable: string });

/** A file of lines, or standard input; gzip is recognised by its first bytes. */
export interface Source {
  /** Total bytes of the file; null for standard input. */
  readonly totalBytes: number | null;
  /** Bytes read so far, of `totalBytes`. */
  readBytes(): number;
  lines(): AsyncGenerator<SourceLine>;
}

/** Opens a file, `-` for standard input; throws `UsageError` when there is none. */
export async function openSource(path: string): Promise<Source> {
  const totalBytes = path === '-' ? null : await sizeOf(path);
  const stream: Readable = path === '-' ? process.stdin : createReadStream(path);
  let taken = 0;
  return {
    totalBytes,
    readBytes: () => taken,
    lines: () =>
      linesOf(
        unzipped(
          counted(stream, (bytes) => {
            taken += bytes;
          }),
        ),
      ),
  };
}

async function sizeOf(path: string): Promise<number> {
  try {
    await access(path, constants.R_OK);
    const found = await stat(path);
    if (found.isDirectory()) throw new Error('it is a folder');
    return found.size;
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${(error as Error).message}`);
  }
}

async function* counted(stream: AsyncIterable<Buffer>, count: (bytes: number) => void): AsyncGenerator<Buffer> {
  for await (const chunk of stream) {
    count(chunk.length);
    yield chunk;
  }
}

/** The bytes unchanged, or inflated when they begin with the gzip header (RFC 1952, section 2.3.1). */
async function* unzipped(chunks: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  let head = Buffer.alloc(0);
  while (head.length < 2) {
    const next = await chunks.next();
    if (next.done) break;
    head = Buffer.concat([head, next.value]);
  }
  const whole = Readable.from(withHead(head, chunks), { objectMode: false });
  if (head[0] !== 0x1f || head[1] !== 0x8b) return yield* whole as AsyncIterable<Buffer>;
  const gunzip = createGunzip();
  whole.once('error', (error) => gunzip.destroy(error));
  try {
    yield* whole.pipe(gunzip) as AsyncIterable<Buffer>;
  } catch (error) {
    throw new Error(
      `The gzip file is truncated or corrupt (${(error as Error).message}): download it again, or run \`gzip -t\` on it.`,
    );
  }
}

async function* withHead(head: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  if (head.length > 0) yield head;
  yield* rest;
}

async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<SourceLine> {
  let number = 0;
  let parts: Buffer[] = [];
  let length = 0;
  const line = (): SourceLine => {
    number += 1;
    const bytes = length > lineBytesMax ? null : Buffer.concat(parts);
    parts = [];
    length = 0;
    if (bytes === null) return { number, unreadable: `is longer than ${lineBytesMax} bytes` };
    return isUtf8(bytes) ? { number, text: utf8.decode(bytes) } : { number, unreadable: 'is not UTF-8' };
  };
  const take = (part: Buffer): void => {
    length += part.length;
    // The rest of an overlong line is dropped; the line still counts.
    if (length <= lineBytesMax) parts.push(part);
    else parts = [];
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      take(chunk.subarray(from, end));
      yield line();
      from = end + 1;
    }
    if (from < chunk.length) take(chunk.subarray(from));
  }
  if (length > 0) yield line();
}
