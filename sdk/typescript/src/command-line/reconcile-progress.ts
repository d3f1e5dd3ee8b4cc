import * as fs from 'node:fs';
import type { InputPlace } from './input-records';

/** How far a file is reconciled; what is written of it survives the end of the process. */
export interface Reconciled extends InputPlace {
  /** Size and time of change of the input, by which another file of the same name is noticed. */
  readonly inputBytes: number;
  readonly inputChangedMs: number;
  /** Bytes of the file of missing records that belong to the answers up to here. */
  readonly missingBytes: number;
  readonly ids: number;
  readonly missing: number;
  readonly unreadable: number;
}

/** The progress of an earlier run; undefined when there is none. */
export function readProgress(path: string): Reconciled | undefined {
  try {
    return JSON.parse(fs.readFileSync(path, 'utf8')) as Reconciled;
  } catch {
    return undefined;
  }
}

/** Stores progress in one step: a killed process leaves the former or this one. */
export function writeProgress(path: string, progress: Reconciled): void {
  const next = `${path}.tmp`;
  const file = fs.openSync(next, 'w', 0o600);
  fs.writeSync(file, `${JSON.stringify(progress)}\n`);
  fs.fsyncSync(file);
  fs.closeSync(file);
  fs.renameSync(next, path);
}
