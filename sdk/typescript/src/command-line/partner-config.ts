import * as fs from 'node:fs';
import { homedir } from 'node:os';
import * as path from 'node:path';
import { isEventKey } from '../api/event-key';
import { Terminal, UsageError } from './terminal';

/** The file that commands read in the folder where they are called. */
export const defaultConfigFile = 'podium-partner.json';

/** Where the key is: in a variable of the environment, or in a file that only its owner can read. */
export type KeyPlace = { readonly env: string } | { readonly file: string };

/** What a partner's commands need to know; never the key itself. */
export interface PartnerConfig {
  readonly url: string;
  readonly platform: string;
  /** A file is named from the folder of the configuration, or from the home folder with `~/`. */
  readonly key: KeyPlace;
  /** Files that `podium-partner types` has written, for `doctor`. */
  readonly types?: readonly string[];
}

/** The configuration of a file; undefined when there is none. Throws UsageError for a file that is none. */
export function readConfig(file: string): PartnerConfig | undefined {
  let text: string;
  try {
    text = fs.readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`);
  }
  const { url, platform, key, types } = objectIn(text, file);
  if (typeof url !== 'string') throw new UsageError(`${file}: "url" is not a text.`);
  if (typeof platform !== 'string') throw new UsageError(`${file}: "platform" is not a text.`);
  if (types !== undefined && !(Array.isArray(types) && types.every((each) => typeof each === 'string')))
    throw new UsageError(`${file}: "types" is not a list of files.`);
  return { url, platform, key: keyPlaceOf(key, file), ...(types !== undefined && { types: types as string[] }) };
}

/** Writes a configuration; a killed process leaves the former file or this one. */
export function writeConfig(file: string, config: PartnerConfig): void {
  replaceFile(file, `${JSON.stringify(config, null, 2)}\n`, 0o644);
}

/** The key at a place, or undefined when its variable is not set. Throws UsageError for a file that others can read. */
export function keyAt(place: KeyPlace, configFile: string, env: Terminal['env'] = {}): string | undefined {
  if ('env' in place) {
    const text = env[place.env]?.trim();
    return text ? checkedKey(text, `The variable ${place.env}`) : undefined;
  }
  return readKeyFile(keyPathOf(place.file, configFile, env));
}

/** The path of a key file as a configuration names it. */
export function keyPathOf(file: string, configFile: string, env: Terminal['env'] = {}): string {
  if (file.startsWith('~/')) return path.join(env.HOME ?? homedir(), file.slice(2));
  return path.resolve(path.dirname(configFile), file);
}

/** Writes a key for its owner alone. */
export function writeKeyFile(file: string, key: string): void {
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  replaceFile(file, `${key}\n`, 0o600);
}

/** The text of a key; throws UsageError for what cannot be one, without showing it. */
export function checkedKey(text: string, where: string): string {
  if (isEventKey(text)) return text;
  throw new UsageError(`${where} holds no key: a key is one word of ASCII characters.`);
}

function readKeyFile(file: string): string {
  let text: string;
  try {
    const { mode } = fs.statSync(file);
    if ((mode & 0o077) !== 0)
      throw new UsageError(`Other users can read the key file ${file}: replace the key, then run chmod 600 ${file}`);
    text = fs.readFileSync(file, 'utf8').trim();
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`The key file ${file} cannot be read: ${(error as Error).message}`);
  }
  return checkedKey(text, `The key file ${file}`);
}

function keyPlaceOf(key: unknown, configFile: string): KeyPlace {
  const { env, file } = (typeof key === 'object' && key !== null ? key : {}) as Record<string, unknown>;
  if (typeof env === 'string' && file === undefined) return { env };
  if (typeof file === 'string' && env === undefined) return { file };
  throw new UsageError(
    `${configFile}: "key" must be {"env": "<variable>"} or {"file": "<path>"}. The key itself must not be in this file.`,
  );
}

function objectIn(text: string, file: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Refused below.
  }
  throw new UsageError(`${file} is not a JSON object: run podium-partner init --force.`);
}

function replaceFile(file: string, text: string, mode: number): void {
  const next = `${file}.${process.pid}.tmp`;
  fs.rmSync(next, { force: true });
  fs.writeFileSync(next, text, { mode, flag: 'wx' });
  fs.renameSync(next, file);
}
