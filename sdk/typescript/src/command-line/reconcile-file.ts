import * as fs from 'node:fs';
import { EventIdsApi, reconcileLimits } from '../api/event-ids-api';

import { CsvRecord, readCsvRecords } from './csv-records';
import { IdFormat, idFinder } from './event-id-of';
import { InputPlace, readLines, startOfFile } from './input-records';
import { Reconciled, readProgress, writeProgress } from './reconcile-progress';
import { UsageError } from './terminal';

/** A file to reconcile. */
export interface ReconcileJob {
  readonly input: string;
  /** The file of the missing records, as they are in the input. */
  readonly output: string;
  readonly format: IdFormat;
  readonly column?: string;
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
 * progress is stored beside the output, and a later call continues there; it is removed at the end.
 */
export async function reconcileFile(job: ReconcileJob): Promise<Reconciled> {
  const progressPath = `${job.output}.progress`;
  const { size, mtimeMs } = fs.statSync(job.input);
  const identity = { inputBytes: size, inputChangedMs: mtimeMs };
  const header = firstRecord(job);
  const find = idFinder(job.format, header?.fields ?? [], job.column);
  let progress = readProgress(progressPath);
  if (progress && (progress.inputBytes !== size || progress.inputChangedMs !== mtimeMs))
    throw new UsageError(
      `${job.input} has changed since it was partly reconciled: remove ${progressPath} to start again.`,
    );
  const output = openOutput(job, progress, header);
  try {
    progress ??= {
      ...identity,
      ...(header?.next ?? startOfFile),
      missingBytes: sizeOf(output),
      ids: 0,
      missing: 0,
      unreadable: 0,
    };
    // From here on a later call continues, even if there is no first answer.
    writeProgress(progressPath, progress);
    for (const chunk of chunksOf(job, progress, find)) {
      const missing =
        chunk.records.length === 0 ? new Set<string>() : await job.missing(chunk.records.map(({ id }) => id));
      const lost = chunk.records.filter(({ id }) => missing.has(id));
      const text = lost.map((record) => `${record.text}\n`).join('');
      fs.writeSync(output, text, progress.missingBytes);
      fs.fsyncSync(output);
      progress = {
        ...{ ...identity, ...chunk.next, missingBytes: progress.missingBytes + Buffer.byteLength(text) },
        ids: progress.ids + chunk.records.length,
        missing: progress.missing + lost.length,
        unreadable: progress.unreadable + chunk.unreadable,
      };
      writeProgress(progressPath, progress);
      job.onAnswer(progress);
    }
    fs.rmSync(progressPath, { force: true });
    return progress;
  } finally {
    fs.closeSync(output);
  }
}

/** The header of CSV; undefined for other formats and for an empty file. */
function firstRecord({ input, format }: ReconcileJob): CsvRecord | undefined {
  if (format !== 'csv') return undefined;
  for (const record of readCsvRecords(input, startOfFile)) return record;
  return undefined;
}

/** The output at the place that belongs to the progress: what a killed process wrote after it is cut off. */
function openOutput({ output }: ReconcileJob, progress: Reconciled | undefined, header: CsvRecord | undefined): number {
  if (progress) {
    fs.truncateSync(output, progress.missingBytes);
    return fs.openSync(output, 'r+');
  }
  const file = openNew(output);
  if (header) fs.writeSync(file, `${header.text}\n`);
  return file;
}

function openNew(output: string): number {
  try {
    return fs.openSync(output, 'wx', 0o600);
  } catch (error) {
    if ((error as { code?: string }).code === 'EEXIST')
      throw new UsageError(`${output} exists already: remove it, or name another file with --missing.`);
    throw error;
  }
}

function sizeOf(file: number): number {
  return fs.fstatSync(file).size;
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
      const found = find(record);
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
