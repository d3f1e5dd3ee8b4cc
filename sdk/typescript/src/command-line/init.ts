import * as fs from 'node:fs';
import * as path from 'node:path';
import { Command } from 'commander';
import { ApiAddresses } from '../api/address';
import { PartnerReadsApi } from '../api/partner-reads-api';
import { PodiumError, SendingPausedError } from '../errors/podium-error';
import { describeError } from './describe-error';
import { questionsOf, usableAddresses, usableProxy } from './edge-access';
import { KeyPlace, PartnerConfig, checkedKey, defaultConfigFile } from './partner-config';
import { keyAt, keyPathOf, writeConfig, writeKeyFile } from './partner-config';
import { Terminal, UsageError } from './terminal';

interface Options {
  readonly url?: string;
  readonly platform?: string;
  readonly keyEnv: string;
  readonly keyFile?: string;
  readonly types?: readonly string[];
  readonly config: string;
  readonly force?: boolean;
}

/** A key, and where later commands find it. `isNew`: a file that is still to be written. */
interface GivenKey {
  readonly key: string;
  readonly place: KeyPlace;
  readonly isNew?: boolean;
}

const help = `
What it does: checks address and key at Podium, and writes ${defaultConfigFile}, which all other commands read. What is not given
is asked on a terminal. The key is never written into ${defaultConfigFile}; it names

  - the variable of the environment that holds the key, if it is set (PODIUM_EVENT_KEY, or that of --key-env), or
  - a file that only you can read (mode 0600): that of --key-file, or one below ~/.config/podium-partner. A file that is
    missing is written with the key that you type, or that comes from the standard input.

Exit codes: 0 written, 1 Podium refuses the key or does not answer (nothing is written), 2 wrong usage, 3 not finished.

Examples:
  $ npx --no podium-partner init
  $ npx --no podium-partner init --url https://events.example          # with the key in PODIUM_EVENT_KEY
  $ vault-cli read podium | npx --no podium-partner init --url https://events.example --key-file secrets/podium.key`;

/** `init`; `end` gets the exit code. */
export function initCommand(terminal: Terminal, end: (exitCode: number) => void): Command {
  return new Command('init')
    .description('write the configuration of all other commands, after a check of address and key')
    .option('--url <address>', 'the address for events that you were given; else PODIUM_URL')
    .option('--platform <name>', 'the name of your platform, for a key that cannot read it')
    .option('--key-env <variable>', 'the variable that holds the key', 'PODIUM_EVENT_KEY')
    .option('--key-file <file>', 'the file that holds the key')
    .option('--types <files...>', 'files of podium-partner types, which doctor compares with your contract')
    .option('--config <file>', 'the configuration to write', defaultConfigFile)
    .option('--force', 'replace a configuration that exists')
    .addHelpText('after', help)
    .action(async (options: Options) => {
      if (!options.force && fs.existsSync(options.config))
        throw new UsageError(`${options.config} exists already: give --force to replace it.`);
      end(await init(options, terminal));
    });
}

async function init(options: Options, terminal: Terminal): Promise<number> {
  const url = options.url ?? (terminal.env?.PODIUM_URL || (await askedUrl(terminal)));
  const addresses = usableAddresses(url);
  const given = await givenKey(options, terminal);
  let platform: string | undefined;
  try {
    platform = await platformOfKey({ addresses, key: given.key, proxy: usableProxy(addresses, terminal.env) });
  } catch (error) {
    if (!(error instanceof PodiumError)) throw error;
    terminal.err(`${describeError(error)}\nNothing was written.\n`);
    return 1;
  }
  if (platform && options.platform && platform !== options.platform)
    throw new UsageError(`The key belongs to the platform ${platform}, not to ${options.platform}.`);
  platform ??= options.platform ?? (await askedPlatform(terminal));
  const place = placeFor(given, addresses, platform);
  if (given.isNew && 'file' in place) writeKeyFile(keyPathOf(place.file, options.config, terminal.env), given.key);
  const config: PartnerConfig = { url, platform, key: place, ...(options.types && { types: options.types }) };
  writeConfig(options.config, config);
  terminal.out(nextSteps(options.config, config));
  return 0;
}

async function askedUrl(terminal: Terminal): Promise<string> {
  if (!terminal.isInteractive) throw new UsageError('The address is missing: give --url.');
  return (await terminal.ask('Address for events that you were given: ')).trim();
}

async function askedPlatform(terminal: Terminal): Promise<string> {
  if (!terminal.isInteractive)
    throw new UsageError('This key cannot read the name of your platform: give --platform, or a key with events:read.');
  return (await terminal.ask('Name of your platform, given with the key: ')).trim();
}

async function givenKey({ keyFile, keyEnv, config }: Options, terminal: Terminal): Promise<GivenKey> {
  if (keyFile !== undefined) {
    // From the folder of the call to the folder of the configuration.
    const file = path.isAbsolute(keyFile) ? keyFile : path.relative(path.dirname(config), keyFile);
    const place = { file };
    if (fs.existsSync(keyFile)) return { key: keyAt(place, config, terminal.env) ?? '', place };
    return { key: await typedKey(terminal), place, isNew: true };
  }
  const key = keyAt({ env: keyEnv }, config, terminal.env);
  if (key) return { key, place: { env: keyEnv } };
  if (!terminal.isInteractive)
    throw new UsageError(`The key is missing: set ${keyEnv}, or give --key-file and the key at the standard input.`);
  return { key: await typedKey(terminal), place: { file: '' }, isNew: true };
}

async function typedKey(terminal: Terminal): Promise<string> {
  const text = terminal.isInteractive
    ? await terminal.ask('Event key (it is not shown): ', { isSecret: true })
    : await terminal.readStdin();
  return checkedKey(text.trim(), 'The input');
}

/** A key that was typed without --key-file goes outside of the folder, which may be in version control. */
function placeFor({ place }: GivenKey, { send }: ApiAddresses, platform: string): KeyPlace {
  if (!('file' in place) || place.file !== '') return place;
  const name = `${send.host}-${platform}`.replace(/[^A-Za-z0-9._-]/g, '_');
  return { file: `~/.config/podium-partner/${name}.key` };
}

/** The platform of a key that works; undefined for one that can send only. Throws PodiumError for any other. */
async function platformOfKey(access: Parameters<typeof questionsOf>[0]): Promise<string | undefined> {
  const reads = new PartnerReadsApi(questionsOf(access));
  try {
    return (await reads.contract()).platform;
  } catch (error) {
    if (!(error instanceof SendingPausedError) || error.code !== 'forbidden') throw error;
    // The key lacks events:read; a check of nothing shows whether it has events:send.
    await reads.validate('{}');
    return undefined;
  } finally {
    reads.close();
  }
}

function nextSteps(file: string, { platform, key }: PartnerConfig): string {
  const where = 'env' in key ? `the variable ${key.env}` : key.file;
  const option = file === defaultConfigFile ? '' : ` --config ${file}`;
  return `The key works: it belongs to the platform ${platform}. ${file} is written; the key is in ${where}.

Next:
  npx --no podium-partner doctor${option}       # clock, certificate, rate
  npx --no podium-partner contract${option}     # what you may send
  npx --no podium-partner validate${option} event.json
  npx --no podium-partner send${option} event.json
`;
}
