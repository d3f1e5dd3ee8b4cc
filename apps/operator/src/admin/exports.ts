import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import { ApiError } from '../cli/admin-api';
import { CliEnvironment } from '../cli/cli-environment';
import { contextOf } from '../cli/command-context';

const retryMs = 1_000;

/** An export is given up when the API has been unavailable for so long. */
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
 * that no item is printed twice. While the API limits the rate, it waits as long as the API says. When it is given up it says how to
 * continue, and throws the error.
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
  let waitMs = 0;
  let failures = 0;
  for (let endMs = performance.now() + patienceMs; ; await sleep(waitMs))
    try {
      const parameters = new URLSearchParams({ ...query, ...(cursor === undefined ? {} : { cursor }) });
      const target = parameters.size === 0 ? path : `${path}?${parameters}`;
      for await (const { text, value } of api.lines(target)) {
        const { cursor: place, ...item } = value;
        // A cursor alone shows that nothing was found up to there.
        if (Object.keys(item).length > 0) environment.out(`${text}\n`);
        cursor = place;
        // The reader of the output may have taken its time.
        endMs = performance.now() + patienceMs;
        failures = 0;
      }
      return;
    } catch (error) {
      waitMs = retryMs;
      if (error instanceof ApiError && error.status === 429) {
        // A proxy may state any time. The API has answered, so this is no part of the time for which it was unavailable.
        waitMs = Math.min(Math.max(retryMs, error.retryAfterMs ?? 0), patienceMs);
        endMs = performance.now() + waitMs + patienceMs;
        environment.err(`Too many exports or requests at once (${error.code}); trying again in ${waitMs / 1000} s.\n`);
      }
      if (error instanceof ApiError && error.isTemporary && performance.now() < endMs) {
        // A connection that broke once is no news.
        if (error.status !== 429 && ++failures === 2)
          environment.err(`${error.code}: ${error.message}; trying again for up to ${patienceMs / 1000} s.\n`);
        continue;
      }
      // A cursor that was refused is none.
      const isRefused = error instanceof ApiError && error.code === 'invalid_request' && cursor === given;
      const place = cursor === undefined || isRefused ? '' : `; --cursor ${cursor} continues it`;
      environment.err(`The export is not complete${place}.\n`);
      throw error;
    }
}
