import { readFileSync } from 'node:fs';
import { isUuid } from '@podium/runtime/http';
import { Command, InvalidArgumentError } from 'commander';
import { Api, ApiError, connect, connectApprover } from './admin-api';
import { details, table } from './output';
import { CliEnvironment } from './cli-environment';
import { UsageError } from './usage-error';

/** Prints results. */
export interface CommandOutput {
  /** One object: its fields, or JSON. */
  show(thing: Record<string, unknown>): void;
  /** A list: these columns, some computed from an item, or JSON with all fields. */
  showAll(
    things: readonly Record<string, unknown>[],
    columns: readonly string[],
    derived?: (thing: Record<string, unknown>) => Record<string, unknown>,
    maxCellLength?: number,
  ): void;
  /** A line for people; nothing with --json. */
  note(line: string): void;
}

/** The API and output of a command. */
export interface CommandContext extends CommandOutput {
  readonly api: Api;
  /** The API as the second operator, who publishes and pays. */
  readonly approverApi: Api;
  /** Items of a list, at most `max`; says on standard error when there are more. */
  list(
    path: string,
    query: Readonly<Record<string, string | undefined>>,
    max: number,
  ): Promise<Record<string, unknown>[]>;
}

/**
 * Items of a list of one platform, or of all. Throws `UsageError` for a platform of no integration: its list would look like that of
 * a partner who has nothing yet.
 */
export async function listOfPlatform(
  { api, list }: CommandContext,
  path: string,
  query: Readonly<Record<string, string | undefined>>,
  max: number,
): Promise<Record<string, unknown>[]> {
  const found = await list(path, query, max);
  if (found.length === 0 && query.platform !== undefined && !(await mayBePlatform(api, query.platform)))
    throw new UsageError(noIntegration(query.platform));
  return found;
}

/** Whether the platform has an integration; true also while that cannot be read. */
async function mayBePlatform(api: Api, platform: string): Promise<boolean> {
  try {
    const all = await api.list('/integrations', {}, Infinity);
    return all.some((integration) => integration.platform === platform);
  } catch (error) {
    if (error instanceof ApiError) return true;
    throw error;
  }
}

/** The context of a command as it was called. */
export function contextOf(command: Command, environment: CliEnvironment): CommandContext {
  const options = command.optsWithGlobals<{ url?: string; token?: string; approverToken?: string }>();
  const api = connect(options, environment.env);
  const onMore = (): void => environment.err(thereAreMore);
  return {
    api,
    list: (path, query, max) => api.list(path, query, max, onMore),
    approverApi: connectApprover(options, environment.env),
    ...outputOf(command, environment),
  };
}

const thereAreMore = 'There are more: --max sets how many are shown.\n';

/** At most `max` of the items, of which one more was read; says on standard error when there are more. */
export function atMost<Item>(items: readonly Item[], max: number, { err }: CliEnvironment): readonly Item[] {
  if (items.length > max) err(thereAreMore);
  return items.slice(0, max);
}

/** The output of a command, by its options. */
export function outputOf(command: Command, { out }: CliEnvironment): CommandOutput {
  const options = command.optsWithGlobals<{ json?: boolean }>();
  const json = (value: unknown): void => out(`${JSON.stringify(value, null, 2)}\n`);
  return {
    show: (thing) => (options.json ? json(thing) : out(details(thing))),
    showAll: (things, columns, derived = () => ({}), maxCellLength?: number) =>
      options.json
        ? json(things)
        : out(
            table(
              things.map((thing) => ({ ...thing, ...derived(thing) })),
              columns,
              maxCellLength,
            ),
          ),
    note: (line) => {
      if (!options.json) out(`${line}\n`);
    },
  };
}

/** A JSON object from a file, or from stdin for `-`; throws `UsageError`. */
export async function readObject(file: string, { readStdin }: CliEnvironment): Promise<Record<string, unknown>> {
  const name = file === '-' ? 'stdin' : file;
  const text = file === '-' ? await readStdin() : readText(file);
  let value: unknown;
  try {
    // Programs of Windows begin a file with a byte order mark.
    value = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    throw new UsageError(`${name} is not JSON: ${(error as Error).message}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UsageError(`${name} must contain a JSON object.`);
  return value as Record<string, unknown>;
}

/** A file's text; throws `UsageError`. */
export function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`);
  }
}

/** The id of an integration given by id or platform name; throws `UsageError` when there is no such integration. */
export async function integrationIdOf(api: Api, platformOrId: string): Promise<string> {
  if (isUuid(platformOrId)) return platformOrId;
  const all = await api.list('/integrations', {}, Infinity);
  const found = all.find((integration) => integration.platform === platformOrId);
  if (!found) throw new UsageError(noIntegration(platformOrId));
  return String(found.integration_id);
}

function noIntegration(platform: string): string {
  return `There is no integration ${platform}, or you may not see it: integrations list shows yours.`;
}

/** A whole number of items from 1; for an option, which the error names. */
export function parseMax(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1 to 9999999.');
  return Number(text);
}

/** The number of a version, of the option --version; throws `UsageError`. */
export function parseVersion(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new UsageError(`--version ${text}: must be a whole number from 1.`);
  return Number(text);
}
