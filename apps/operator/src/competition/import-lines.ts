import { ChangeRecord } from '../../../competition-read/src/operations/change-publisher';
import { readChangeLine } from './read-change-line';
import { Source } from './source-lines';

/** The result of importing a file. */
export interface ImportResult {
  readonly published: number;
  readonly refused: number;
}

/** A line that was not imported. */
export interface RefusedLine {
  readonly number: number;
  readonly reason: string;
}

const batchRecords = 500;
const batchBytes = 4 * 1024 * 1024;

/** Reads a source to its end and publishes valid lines in batches; empty lines are skipped. */
export async function importLines(
  source: Source,
  options: {
    /** Unix milliseconds; lines without a revision get ascending revisions from it. */
    readonly startedAtMs: number;
    publish(records: readonly ChangeRecord[]): Promise<void>;
    onRefused(line: RefusedLine): void;
    onProgress(readBytes: number, published: number): void;
  },
): Promise<ImportResult> {
  let published = 0;
  let refused = 0;
  let batch: ChangeRecord[] = [];
  let bytes = 0;
  const flush = async (): Promise<void> => {
    await options.publish(batch);
    published += batch.length;
    options.onProgress(source.readBytes(), published);
    batch = [];
    bytes = 0;
  };
  for await (const sourceLine of source.lines()) {
    const { number } = sourceLine;
    if ('text' in sourceLine && sourceLine.text.trim() === '') continue;
    // Microseconds of the start plus the line's number: of two lines for one document the later one is newer.
    const revision = options.startedAtMs * 1000 + number;
    const line =
      'unreadable' in sourceLine
        ? ({ ok: false, reason: sourceLine.unreadable } as const)
        : readChangeLine(sourceLine.text, { revision, occurredAtMs: options.startedAtMs });
    if (!line.ok) {
      refused += 1;
      options.onRefused({ number, reason: line.reason });
      continue;
    }
    batch.push({ key: line.key, value: line.value });
    bytes += line.value.length;
    if (batch.length >= batchRecords || bytes >= batchBytes) await flush();
  }
  if (batch.length > 0) await flush();
  return { published, refused };
}
