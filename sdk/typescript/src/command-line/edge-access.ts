import * as fs from 'node:fs';
import * as path from 'node:path';
import { Command } from 'commander';
import { ApiAddresses, addressesOf } from '../api/address';
import { EdgeQuestionsOptions } from '../api/edge-questions';
import { EventIdsApi } from '../api/event-ids-api';
import { Contract, PartnerReadsApi } from '../api/partner-reads-api';
import { ProxyAddress, proxyFor } from '../api/proxy';
import { sdkVersion } from '../client/version';
import { systemClock } from '../pacing/clock';
import { defaultConfigFile, keyAt, PartnerConfig, readConfig } from './partner-config';
import { Terminal, UsageError } from './terminal';

/** Options of every command that calls Podium with an event key. */
export interface EdgeOptions {
  readonly url?: string;
  readonly config?: string;
}

/** The part of a command's help about address and key. */
export const edgeHelp = `
Address and key: from podium-partner.json in this folder, which podium-partner init writes, or from another file with --config.
--url or PODIUM_URL replace its address, PODIUM_EVENT_KEY its key. The key is in no option, because other users of the machine
see options. Reading commands need a key with the scope events:read. HTTPS_PROXY names a proxy on the way to Podium, NO_PROXY hosts
that are called without it.`;

/** The part of a command's help about address, key and the exit codes of a read. */
export const readHelp = `${edgeHelp}

Exit codes: 0 done, 1 refused or no answer, 2 wrong usage, 3 not finished.`;

/** Adds the options of `EdgeOptions`. */
export function withEdge(command: Command): Command {
  return command
    .option('--url <address>', 'the address for events that you were given')
    .option('--config <file>', `the configuration instead of ${defaultConfigFile}`);
}

/** Where a command asks, and with which key. */
export interface EdgeAccess {
  readonly addresses: ApiAddresses;
  readonly key: string;
  /** On the way to Podium. */
  readonly proxy?: ProxyAddress;
  /** The platform of the configuration; missing without one. */
  readonly platform?: string;
  /** Types of events as the configuration names them, as paths from the folder of the call. */
  readonly types: readonly string[];
}

/** The address and key of the caller; throws UsageError when one is missing or cannot be used. */
export function edgeAccessOf(options: EdgeOptions, { env = {} }: Pick<Terminal, 'env'>): EdgeAccess {
  const file = options.config ?? defaultConfigFile;
  const config = readConfig(file);
  if (options.config !== undefined && !config) throw new UsageError(`${file} does not exist: run podium-partner init.`);
  const url = options.url ?? (env.PODIUM_URL?.trim() || config?.url);
  if (!url)
    throw new UsageError(
      'The address is missing: run podium-partner init in this folder, give --url or set PODIUM_URL.',
    );
  const addresses = usableAddresses(url);
  return {
    addresses,
    proxy: usableProxy(addresses, env),
    key: keyOf(config, file, env),
    ...(config && { platform: config.platform }),
    types: (config?.types ?? []).map((each) => path.join(path.dirname(file), each)),
  };
}

/** The addresses below a text; throws UsageError. */
export function usableAddresses(url: string): ApiAddresses {
  try {
    return addressesOf(url);
  } catch (error) {
    // The terminal of a build keeps what is written there: not the password of an address that has one.
    const shown = url.replace(/\/\/.*@/, '//…@');
    throw new UsageError(`The address ${shown} cannot be used: ${(error as Error).message}`);
  }
}

/** The proxy that the environment names for these addresses; throws UsageError. */
export function usableProxy({ send }: ApiAddresses, env: Terminal['env'] = {}): ProxyAddress | undefined {
  try {
    return proxyFor(send, env);
  } catch (error) {
    throw new UsageError(`HTTPS_PROXY cannot be used: ${(error as Error).message}`);
  }
}

/** What questions need, with this access. */
export function questionsOf({
  addresses,
  key,
  proxy,
}: Pick<EdgeAccess, 'addresses' | 'key' | 'proxy'>): EdgeQuestionsOptions {
  return { addresses, apiKey: () => key, userAgent, clock: systemClock, proxy };
}

/** The header user-agent of all commands. */
export const userAgent = `podium-partner/${sdkVersion}`;

/** The questions about event ids with the address and key of the caller; throws UsageError. */
export function eventIdsApiOf(options: EdgeOptions, terminal: Pick<Terminal, 'env'>): EventIdsApi {
  return new EventIdsApi(questionsOf(edgeAccessOf(options, terminal)));
}

/** Runs work with the partner's reads, by the address and key of the caller; throws UsageError. */
export async function withReads<T>(
  options: EdgeOptions,
  terminal: Pick<Terminal, 'env'>,
  work: (reads: PartnerReadsApi, access: EdgeAccess) => Promise<T>,
): Promise<T> {
  const access = edgeAccessOf(options, terminal);
  const reads = new PartnerReadsApi(questionsOf(access));
  try {
    return await work(reads, access);
  } finally {
    reads.close();
  }
}

/** The platform of the configuration, else the one that Podium knows by the key. */
export async function platformOf({ platform }: Pick<EdgeAccess, 'platform'>, reads: PartnerReadsApi): Promise<string> {
  return platform ?? (await reads.contract()).platform;
}

/** The contract of the key's platform; throws UsageError when the configuration names another one. */
export async function contractOf(
  { platform }: Pick<EdgeAccess, 'platform'>,
  reads: PartnerReadsApi,
): Promise<Contract> {
  const contract = await reads.contract();
  if (platform !== undefined && platform !== contract.platform)
    throw new UsageError(`The key belongs to ${contract.platform}, the configuration names ${platform}.`);
  return contract;
}

/** Whether a file exists that a command is to read; throws UsageError otherwise. */
export function requireFile(file: string): void {
  if (!fs.existsSync(file)) throw new UsageError(`${file} does not exist.`);
}

function keyOf(config: PartnerConfig | undefined, file: string, env: NonNullable<Terminal['env']>): string {
  const key = keyAt({ env: 'PODIUM_EVENT_KEY' }, file, env) ?? (config && keyAt(config.key, file, env));
  if (key) return key;
  const variable = config && 'env' in config.key ? config.key.env : 'PODIUM_EVENT_KEY';
  throw new UsageError(`The key is missing: set ${variable}${config ? '' : ', or run podium-partner init'}.`);
}
