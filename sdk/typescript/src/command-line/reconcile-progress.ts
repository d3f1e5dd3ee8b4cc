import * as fs from 'node:fs';
import type { InputPlace } from './input-records';
import { UsageError } from './terminal';

/** What an earlier run must have in common with a call that continues it. */
export interface ReconcileIdentity {
  /** Size and time of change of the input, by which another file of the same name is noticed. */
  readonly inputBytes: number;
  readonly inputChangedMs: number;
  /** Who was asked, and what is an id in the input. */
  readonly settings: string;
}

/** How far a file is reconciled; what is written of it survives the end of the process. */
export interface Reconciled extends InputPlace, ReconcileIdentity {
  /** Bytes of the file of missing records that belong to the answers up to here. */
  readonly missingBytes: number;
  readonly ids: number;
  readonly missing: number;
  readonly unreadable: number;
}

/** The file of the progress that belongs to a file of missing records. */
export function progressPathOf(output: string): string {
  return `${output}.progress`;
}

/**
 * The progress of an earlier run; undefined when there is none. Throws UsageError when it belongs to another content of the
 * input, to other settings, or to more missing records than the output has.
 */
export function readProgress(input: string, output: string, same: ReconcileIdentity): Reconciled | undefined {
  const path = progressPathOf(output);
  const found = readFile(path);
  if (!found) return undefined;
  const again = `remove ${path} and ${output} to start again.`;
  if (found.inputBytes !== same.inputBytes || found.inputChangedMs !== same.inputChangedMs)
    throw new UsageError(`${input} has changed since it was partly reconciled: ${again}`);
  if (found.settings !== same.settings)
    throw new UsageError(
      `${input} was partly reconciled at another address or platform, or with another --format or --column: ${again}`,
    );
  // A file that is extended instead would have NUL bytes in place of the records.
  if ((fs.statSync(output, { throwIfNoEntry: false })?.size ?? 0) < found.missingBytes)
    throw new UsageError(`${output} has lost records since ${input} was partly reconciled: ${again}`);
  return found;
}

/** Stores progress in one step: a killed process or a full disk leaves the former or this one. */
export function writeProgress(output: string, progress: Reconciled): void {
  const path = progressPathOf(output);
  const next = `${path}.tmp`;
  const file = fs.openSync(next, 'w', 0o600);
  try {
    fs.writeFileSync(file, Buffer.from(`${JSON.stringify(progress)}\n`));
    fs.fsyncSync(file);
  } finally {
    fs.closeSync(file);
  }
  fs.renameSync(next, path);
}

function readFile(path: string): Reconciled | undefined {
  try {
    return JSON.parse(fs.readFileSync(path, 'utf8')) as Reconciled;
  } catch {
    return undefined;
  }
}
