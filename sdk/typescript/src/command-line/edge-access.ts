import { Command } from 'commander';
import { ApiAddresses, addressesOf } from '../api/address';
import { EventIdsApi } from '../api/event-ids-api';
import { sdkVersion } from '../client/version';
import { systemClock } from '../pacing/clock';
import { Terminal, UsageError } from './terminal';

/** Options of every command that calls Podium with an event key. */
export interface EdgeOptions {
  readonly url?: string;
}

/** The part of a command's help about address and key. */
export const edgeHelp = `
Address: --url, else PODIUM_URL. Key: PODIUM_EVENT_KEY, an event key with the scope events:read. It is in no option, because
other users of the machine see options.`;

/** Adds the options of `EdgeOptions`. */
export function withEdge(command: Command): Command {
  return command.option('--url <address>', 'the address for events that you were given');
}

/** Where a command asks, and with which key. */
export interface EdgeAccess {
  readonly addresses: ApiAddresses;
  readonly key: string;
}

/** The address and key of the caller; throws UsageError when one is missing or cannot be used. */
export function edgeAccessOf(options: EdgeOptions, { env = {} }: Pick<Terminal, 'env'>): EdgeAccess {
  const url = options.url ?? env.PODIUM_URL?.trim();
  const key = env.PODIUM_EVENT_KEY?.trim();
  if (!url) throw new UsageError('The address is missing: give --url or set PODIUM_URL.');
  if (!key) throw new UsageError('The key is missing: set PODIUM_EVENT_KEY.');
  try {
    return { addresses: addressesOf(url), key };
  } catch (error) {
    throw new UsageError(`The address ${url} cannot be used: ${(error as Error).message}`);
  }
}

/** The questions about event ids with the address and key of the caller; throws UsageError. */
export function eventIdsApiOf(options: EdgeOptions, terminal: Pick<Terminal, 'env'>): EventIdsApi {
  const { addresses, key } = edgeAccessOf(options, terminal);
  const userAgent = `podium-partner/${sdkVersion}`;
  return new EventIdsApi({ addresses, apiKey: () => key, userAgent, clock: systemClock });
}
