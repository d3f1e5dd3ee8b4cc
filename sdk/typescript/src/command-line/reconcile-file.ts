import * as fs from 'node:fs';
import { EventIdsApi, reconcileLimits } from '../api/event-ids-api';

import { CsvRecord, readCsvRecords } from './csv-records';
import { IdFormat, idFinder } from './event-id-of';
import { InputPlace, readLines, startOfFile } from './input-records';
import { ReconcileIdentity, Reconciled, progressPathOf, readProgress, writeProgress } from './reconcile-progress';
import { UsageError } from './terminal';

/** A file to reconcile. */
export interface ReconcileJob {
  readonly input: string;
  /** The file of the missing records, as they are in the input. */
  readonly output: string;
  readonly format: IdFormat;
  readonly column?: string;
  /** Who is asked, and what is an id in the input; a later call continues only with the same. */
  readonly settings: string;
  /** Asks about at most 10,000 ids; throws when the answer is not known. */
  readonly missing: EventIdsApi['missing'];
  /** Called for each record without an id that Podium could know. */
  readonly onProblem: (line: number, problem: string) => void;
  /** Called after each answer. */
  readonly onAnswer: (progress: Reconciled) => void;
}

/** Records of one request, with the place after the last one. */
interface Chunk {
  readonly records: readonly { readonly id: string; readonly text: string }[];
  readonly unreadable: number;
  readonly next: InputPlace;
}

/** Bytes of records that are in memory at once. */
const maxHeldBytes = 8 * 1024 * 1024;

/**
 * Writes the records of a file whose events Podium never accepted to another file. Memory stays constant. After each answer
 * progress is stored beside the output, and a later call continues there; it is removed at the end. Throws UsageError for
 * progress of another input or other settings, and the error of the file system when an output cannot be written.
 */
export async function reconcileFile(job: ReconcileJob): Promise<Reconciled> {
  const { input, output } = job;
  const { size: inputBytes, mtimeMs: inputChangedMs } = fs.statSync(input);
  const identity = { inputBytes, inputChangedMs, settings: job.settings };
  const header = firstRecord(job);
  const find = idFinder(job.format, header?.fields ?? [], job.column);
  let progress = readProgress(input, output, identity) ?? begin(output, identity, header);
  const file = fs.openSync(output, 'a', 0o600);
  try {
    // What a killed process wrote after its last progress is cut off.
    fs.ftruncateSync(file, progress.missingBytes);
    for (const chunk of chunksOf(job, progress, find)) {
      const missing =
        chunk.records.length === 0 ? new Set<string>() : await job.missing(chunk.records.map(({ id }) => id));
      const lost = chunk.records.filter(({ id }) => missing.has(id));
      const bytes = Buffer.from(lost.map((record) => `${record.text}\n`).join(''));
      // Unlike writeSync it ends when all is written, or throws.
      fs.appendFileSync(file, bytes);
      fs.fsyncSync(file);
      progress = {
        ...{ ...identity, ...chunk.next, missingBytes: progress.missingBytes + bytes.length },
        ids: progress.ids + chunk.records.length,
        missing: progress.missing + lost.length,
        unreadable: progress.unreadable + chunk.unreadable,
      };
      writeProgress(output, progress);
      job.onAnswer(progress);
    }
    fs.rmSync(progressPathOf(output), { force: true });
    return progress;
  } finally {
    fs.closeSync(file);
  }
}

/** The header of CSV; undefined for other formats and for an empty file. */
function firstRecord({ input, format }: ReconcileJob): CsvRecord | undefined {
  if (format !== 'csv') return undefined;
  for (const record of readCsvRecords(input, startOfFile)) return record;
  return undefined;
}

/** Creates the output with the header, and the progress by which a later call continues even if there is no first answer. */
function begin(output: string, identity: ReconcileIdentity, header: CsvRecord | undefined): Reconciled {
  const file = openNew(output);
  try {
    const bytes = Buffer.from(header ? `${header.text}\n` : '');
    fs.appendFileSync(file, bytes);
    fs.fsyncSync(file);
    const counts = { ids: 0, missing: 0, unreadable: 0 };
    const progress = { ...identity, ...(header?.next ?? startOfFile), missingBytes: bytes.length, ...counts };
    writeProgress(output, progress);
    return progress;
  } catch (error) {
    // Without progress a later call would take it for a file of somebody else.
    fs.rmSync(output, { force: true });
    throw error;
  } finally {
    fs.closeSync(file);
  }
}

function openNew(output: string): number {
  try {
    return fs.openSync(output, 'ax', 0o600);
  } catch (error) {
    if ((error as { code?: string }).code === 'EEXIST')
      throw new UsageError(`${output} exists already: remove it, or name another file with --missing.`);
    throw error;
  }
}

/** Records in the portions of requests: at most 10,000 ids, and a body within its limit. */
function* chunksOf(
  { input, format, onProblem }: ReconcileJob,
  from: InputPlace,
  find: ReturnType<typeof idFinder>,
): Generator<Chunk> {
  let records: { id: string; text: string }[] = [];
  let [heldBytes, bodyBytes, unreadable] = [0, 0, 0];
  let next = from;
  for (const record of format === 'csv' ? readCsvRecords(input, from) : readLines(input, from)) {
    if (record.text.trim() !== '' || 'problem' in record) {
      // What replaces such bytes is neither the id that was sent, nor the record to send again.
      const found = record.isUtf8 ? find(record) : { problem: 'has bytes that are not UTF-8' };
      if ('problem' in found) {
        unreadable += 1;
        onProblem(record.line, found.problem);
      } else {
        records.push({ id: found.id, text: record.text });
        heldBytes += record.text.length;
        bodyBytes += Buffer.byteLength(JSON.stringify(found.id)) + 1;
      }
    }
    next = record.next;
    const isFull = records.length === reconcileLimits.maxIds || heldBytes >= maxHeldBytes;
    if (!isFull && bodyBytes < reconcileLimits.maxBodyBytes - 4 * 1024) continue;
    yield { records, unreadable, next };
    [records, heldBytes, bodyBytes, unreadable] = [[], 0, 0, 0];
  }
  if (records.length > 0 || unreadable > 0) yield { records, unreadable, next };
}
