import * as fs from 'node:fs';
import * as path from 'node:path';
import { checkoutFolder } from './folders';
import { preloading } from './preload';

/** Environment variable that names the folder of a run's record, for all processes of the run. */
const folderVariable = 'PODIUM_RUN_RECORD';
/** Environment variable that has the address of the run's collector of traces. */
const tracesVariable = 'PODIUM_RUN_TRACES';
const recorder = path.join(checkoutFolder, 'tools/secret-scan/recorder.cjs');

/** The folder into which this run keeps what its processes give out; undefined when nothing is kept. */
export function runRecord(): string | undefined {
  return process.env[folderVariable];
}

/** Begins a record of what stacks of this run leave. */
export function beginRunRecord(folder: string): void {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  process.env[folderVariable] = folder;
}

/** From here on every Node process that this one starts keeps what it gives out; services export their traces to `tracesUrl`. */
export function recordProcesses(tracesUrl: string): void {
  process.env[tracesVariable] = tracesUrl;
  process.env.NODE_OPTIONS = preloading(recorder);
}

/** Variables with which a service of a stack is recorded too. */
export function recordEnvironment(): Record<string, string> {
  const folder = runRecord();
  const traces = process.env[tracesVariable];
  return {
    ...(folder !== undefined && { [folderVariable]: folder }),
    ...(traces !== undefined && { OTEL_EXPORTER_OTLP_ENDPOINT: traces, OTEL_TRACES_SAMPLER_ARG: '1' }),
  };
}
