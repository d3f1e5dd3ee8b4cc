import * as fs from 'node:fs';
import * as path from 'node:path';
import { InputPlace, startOfFile } from './input-records';
import { UsageError } from './terminal';

/** A line that was not accepted, as the report has it. */
export interface RefusedLine {
  readonly line: number;
  readonly code: string;
  readonly message: string;
  readonly [field: string]: unknown;
}

/** Lines that Podium has, and about which it has a warning. */
export interface WarnedLines {
  readonly events: number;
  /** The numbers of the first lines. */
  readonly lines: readonly number[];
}

/** How far a file is sent; every record up to this place is accepted, a duplicate, or in the report. */
export interface Backfilled extends InputPlace {
  readonly inputBytes: number;
  readonly inputChangedMs: number;
  /** What makes an event of a record, and where it is sent. */
  readonly settings: string;
  readonly report: string;
  /** Bytes of the report that belong to the records up to here. */
  readonly reportBytes: number;
  /** Records, without empty lines: the sum of the three counts below. */
  readonly records: number;
  readonly accepted: number;
  readonly duplicates: number;
  readonly refused: number;
  readonly refusedByCode: Readonly<Record<string, number>>;
  /** Events by the name of an attribute that was left out; of at most 100 names. */
  readonly droppedAttributes: Readonly<Record<string, number>>;
  /** By the code of a warning, of at most 20 codes. */
  readonly warnings: Readonly<Record<string, WarnedLines>>;
  /** Calls of the command that worked on the file. */
  readonly runs: number;
  readonly isFinished: boolean;
}

/** What identifies a backfill. */
export interface BackfillIdentity {
  readonly input: string;
  readonly settings: string;
  readonly report: string;
}

/** Progress and report of a backfill on disk. Nothing counts as done before both are (fsync, the report first). */
export class BackfillJournal {
  /** Of a finished backfill nothing is opened: its report may be elsewhere. */
  private readonly report?: number;

  private constructor(
    private readonly file: string,
    private progress: Backfilled,
  ) {
    if (progress.isFinished) return;
    // What a killed process wrote after its last progress is cut off.
    this.report = fs.openSync(progress.report, 'a', 0o600);
    fs.ftruncateSync(this.report, progress.reportBytes);
  }

  /**
   * Begins a journal in a folder, or goes on with the one that is there. Throws UsageError when it belongs to another content
   * of the file, to other options or to another report than the one there, or when the report would replace a file of
   * somebody else.
   */
  static open(folder: string, identity: BackfillIdentity): BackfillJournal {
    const file = journalIn(folder);
    const { size: inputBytes, mtimeMs: inputChangedMs } = fs.statSync(identity.input);
    const found = readJournal(file);
    if (!found && fs.existsSync(identity.report))
      throw new UsageError(`${identity.report} exists already: remove it, or name another file with --report.`);
    const same = { inputBytes, inputChangedMs, settings: identity.settings, report: identity.report };
    if (found) requireSame(found, same, identity.input);
    if (found && !found.isFinished) requireReport(found);
    const fresh = {
      ...startOfFile,
      ...same,
      reportBytes: 0,
      ...{ records: 0, accepted: 0, duplicates: 0, refused: 0 },
    };
    const counted = { refusedByCode: {}, droppedAttributes: {}, warnings: {} };
    const progress = found ?? { ...fresh, ...counted, runs: 0, isFinished: false };
    writeJournal(file, { ...progress, runs: progress.runs + (progress.isFinished ? 0 : 1) });
    return new BackfillJournal(file, readJournal(file) ?? progress);
  }

  /** Forgets what was sent of a file, with its report; a damaged journal does not say which that is. */
  static remove(folder: string): void {
    const file = journalIn(folder);
    const found = fs.existsSync(file) ? parsedJournal(file) : undefined;
    if (found) fs.rmSync(found.report, { force: true });
    fs.rmSync(file, { force: true });
  }

  /** What is on disk. */
  get state(): Backfilled {
    return this.progress;
  }

  /** Stores refused lines, and then the progress that they belong to. */
  commit(refused: readonly RefusedLine[], next: Omit<Backfilled, 'reportBytes'>): void {
    let { reportBytes } = this.progress;
    if (refused.length > 0) {
      if (this.report === undefined) throw new Error('a finished backfill takes no lines');
      // A commit that failed may have left a part of its lines.
      fs.ftruncateSync(this.report, reportBytes);
      const lines = Buffer.from(refused.map((line) => `${JSON.stringify(line)}\n`).join(''));
      fs.appendFileSync(this.report, lines);
      fs.fsyncSync(this.report);
      reportBytes += lines.length;
    }
    const progress = { ...next, reportBytes };
    writeJournal(this.file, progress);
    this.progress = progress;
  }

  /** A finished file without refused lines has no report. */
  close(): void {
    if (this.report !== undefined) fs.closeSync(this.report);
    const { isFinished, reportBytes, report } = this.progress;
    // A process that was killed here has left it; one with lines is somebody else's.
    if (isFinished && reportBytes === 0 && fs.statSync(report, { throwIfNoEntry: false })?.size === 0)
      fs.rmSync(report, { force: true });
  }
}

function journalIn(folder: string): string {
  return path.join(folder, 'journal.json');
}

function readJournal(file: string): Backfilled | undefined {
  if (!fs.existsSync(file)) return undefined;
  const found = parsedJournal(file);
  if (found) return found;
  throw new UsageError(`${file} is damaged: --restart begins with the first line again. No event counts twice.`);
}

/** What is in a file; undefined when it is damaged. */
function parsedJournal(file: string): Backfilled | undefined {
  const text = fs.readFileSync(file, 'utf8');
  try {
    const found = JSON.parse(text) as Partial<Backfilled> | null;
    // Versions before 0.3.11 counted no warnings.
    return typeof found?.report === 'string' ? ({ warnings: {}, ...found } as Backfilled) : undefined;
  } catch {
    return undefined;
  }
}

/** A report that was moved away, or changed where it is, would be extended by NUL bytes, or cut within a line. */
function requireReport({ report, reportBytes }: Backfilled): void {
  if (reportBytes === 0) return;
  const size = fs.statSync(report, { throwIfNoEntry: false })?.size ?? 0;
  if (size >= reportBytes && endsLine(report, reportBytes)) return;
  throw new UsageError(
    `${report} is not what the last call left: put it back. Or begin again with --restart, which removes it: no event counts twice.`,
  );
}

/** Whether a line of a file ends with the last of its first bytes. */
function endsLine(path: string, bytes: number): boolean {
  const file = fs.openSync(path, 'r');
  try {
    const last = Buffer.alloc(1);
    fs.readSync(file, last, 0, 1, bytes - 1);
    return last.toString() === '\n';
  } finally {
    fs.closeSync(file);
  }
}

/** Replaces the journal in one step: a killed process leaves the former or this one. */
function writeJournal(file: string, progress: Backfilled): void {
  const next = `${file}.tmp`;
  const opened = fs.openSync(next, 'w', 0o600);
  fs.writeFileSync(opened, `${JSON.stringify(progress)}\n`);
  fs.fsyncSync(opened);
  fs.closeSync(opened);
  fs.renameSync(next, file);
  const folder = fs.openSync(path.dirname(file), 'r');
  fs.fsyncSync(folder);
  fs.closeSync(folder);
}

type Same = Pick<Backfilled, 'inputBytes' | 'inputChangedMs' | 'settings' | 'report'>;

function requireSame(found: Backfilled, same: Same, input: string): void {
  const again = '--restart begins with the first line again. No event counts twice, if the ids stay the same.';
  if (found.inputBytes !== same.inputBytes || found.inputChangedMs !== same.inputChangedMs)
    throw new UsageError(`${input} has changed since it was sent: ${again}`);
  if (found.settings !== same.settings)
    throw new UsageError(`${input} was sent to another address or platform, or with other options: ${again}`);
  if (found.report !== same.report) throw new UsageError(`The report of ${input} is ${found.report}: ${again}`);
}
