import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import { ApiError } from '../cli/admin-api';
import { CliEnvironment } from '../cli/cli-environment';
import { contextOf } from '../cli/command-context';

const retryMs = 1_000;

/** An export that does not go on for so long is given up. */
const defaultPatienceMs = 120_000;

/** Options that every export has. */
export interface ExportOptions {
  readonly cursor?: string;
}

/** What an export command calls. */
export interface ExportedList {
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
}

/** Adds the option with which an export is continued. */
export function addExportOption(command: Command): Command {
  return command.option('--cursor <cursor>', 'continue after the line with this cursor');
}

/** Examples of a command that exports, for its help. */
export function exportExamples(command: string): string {
  return `\nExamples:\n  $ npm run podium -- ${command}\n  $ npm run --silent podium -- ${command} > export.ndjson`;
}

/**
 * Prints an export, one item per line with its cursor, without a limit. After an interruption it goes on from the last whole line, so
 * that no item is printed twice. When it is given up it says how to continue, and throws the error.
 */
export async function printExport(
  command: Command,
  environment: CliEnvironment,
  { path, query }: ExportedList,
  { cursor: given }: ExportOptions,
  patienceMs = defaultPatienceMs,
): Promise<void> {
  const { api } = contextOf(command, environment);
  let cursor = given;
  for (let endMs = performance.now() + patienceMs; ; await sleep(retryMs))
    try {
      const parameters = new URLSearchParams({ ...query, ...(cursor === undefined ? {} : { cursor }) });
      for await (const line of api.lines(`${path}?${parameters}`)) {
        if (line === '') continue;
        const { cursor: place, ...item } = JSON.parse(line) as { cursor: string };
        // A cursor alone shows that nothing was found up to there.
        if (Object.keys(item).length > 0) environment.out(`${line}\n`);
        cursor = place;
        // The reader of the output may have taken its time.
        endMs = performance.now() + patienceMs;
      }
      return;
    } catch (error) {
      if (error instanceof ApiError && error.isTemporary && performance.now() < endMs) continue;
      const place = cursor === undefined ? '' : `; --cursor ${cursor} continues it`;
      environment.err(`The export is not complete${place}.\n`);
      throw error;
    }
}
