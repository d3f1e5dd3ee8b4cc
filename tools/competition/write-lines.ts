import { createWriteStream, statSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { CompetitionChange } from '@podium/messages';

/**
 * Writes changes as lines of JSON to a file, compressed if its name ends with `.gz`; the file gets its name when it is
 * complete. `-` is `standardOut`; a reader that closes early, such as `head`, ends the writing without an error.
 */
export async function writeLines(
  batches: Iterable<readonly CompetitionChange[]>,
  path: string,
  standardOut: Writable = process.stdout,
): Promise<void> {
  const lines = Readable.from(texts(batches), { objectMode: true, highWaterMark: 1 });
  if (path === '-') {
    await pipeline(lines, standardOut).catch(ignoreGoneReader);
    return;
  }
  // A device or a pipe must not be replaced by a file.
  const isSpecial = statSync(path, { throwIfNoEntry: false })?.isFile() === false;
  const partial = isSpecial ? path : `${path}.partial`;
  try {
    if (path.endsWith('.gz')) await pipeline(lines, createGzip({ level: 1 }), createWriteStream(partial));
    else await pipeline(lines, createWriteStream(partial));
    if (!isSpecial) await rename(partial, path);
  } catch (error) {
    if (!isSpecial) await rm(partial, { force: true });
    throw error;
  }
}

function* texts(batches: Iterable<readonly CompetitionChange[]>): Generator<string> {
  for (const batch of batches) {
    let text = '';
    for (const change of batch) text += `${JSON.stringify(change)}\n`;
    yield text;
  }
}

function ignoreGoneReader(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
}
