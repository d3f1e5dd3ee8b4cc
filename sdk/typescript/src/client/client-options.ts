import * as path from 'node:path';
import { ApiAddresses, addressesOf } from '../api/address';
import { ProxyAddress, proxyOf } from '../api/proxy';
import type { NoticeListener } from '../notices/notice';
import { isLockable } from '../queue/owner-lock';

/** Options of a client. */
export interface PodiumClientOptions {
  /** The address for events that you were given, with or without the path of the send request. */
  readonly url: string;
  /** The event key; a function is called for each request, so that a key can be replaced while the client runs. */
  readonly apiKey: string | (() => string);
  /** The name of your platform, given with the key. */
  readonly platform: string;
  /** Needed for `enqueue`: a folder on a local disk, for this queue alone. */
  readonly queue?: QueueOptions | undefined;
  /** Receives what happens, for logs and metrics. */
  readonly onNotice?: NoticeListener | undefined;
  /** Most time of one request in ms; 10,000 by default. */
  readonly timeoutMs?: number | undefined;
  /** Rate until an answer names one; 40 by default. */
  readonly eventsPerSecond?: number | undefined;
  /**
   * Most events of one batch; 40 by default, which is `max_batch` at the default rate. At most 100. Batches of the queue have
   * no more than the events of one second at the rate, either: Podium takes no larger ones.
   */
  readonly maxBatch?: number | undefined;
  /**
   * The address of an HTTP proxy for connections to Podium, such as `process.env.HTTPS_PROXY`. Without one they are direct, as they
   * always are to plain http on this machine.
   */
  readonly proxy?: string | undefined;
}

/** Options of a queue. */
export interface QueueOptions {
  readonly folder: string;
  /** Most bytes on disk, beyond which `enqueue` rejects; 1 GiB by default. */
  readonly maxBytes?: number | undefined;
}

/** Options with their defaults. */
export interface ClientSettings {
  readonly addresses: ApiAddresses;
  readonly apiKey: () => string;
  readonly platform: string;
  readonly queue?: Required<QueueOptions>;
  readonly timeoutMs: number;
  readonly eventsPerSecond: number;
  readonly maxBatch: number;
  readonly proxy?: ProxyAddress;
}

/** Checks options; throws TypeError or RangeError for what cannot work. */
export function settingsOf(options: PodiumClientOptions): ClientSettings {
  const { apiKey, platform, queue, timeoutMs = 10_000, eventsPerSecond = 40, maxBatch = 40 } = options;
  if (!apiKey) throw new TypeError('apiKey is missing: give the event key of this environment.');
  if (!platform) throw new TypeError('platform is missing: give the name that you received with the key.');
  return {
    addresses: addressesOf(options.url),
    apiKey: typeof apiKey === 'function' ? apiKey : () => apiKey,
    platform,
    queue: queue && {
      folder: lastingFolder(queue.folder),
      maxBytes: within('queue.maxBytes', queue.maxBytes ?? 2 ** 30, 1, 2 ** 50),
    },
    timeoutMs: within('timeoutMs', timeoutMs, 100, 300_000),
    eventsPerSecond: within('eventsPerSecond', eventsPerSecond, 0.1, 100_000),
    maxBatch: within('maxBatch', maxBatch, 1, 100),
    proxy: proxyOf(options.proxy),
  };
}

/** A folder that stays the same when the process changes its working directory, unless that is too long for a socket. */
function lastingFolder(folder: string): string {
  const absolute = path.resolve(folder);
  return isLockable(absolute) ? absolute : folder;
}

function within(name: string, value: number, lowest: number, highest: number): number {
  if (value >= lowest && value <= highest) return value;
  throw new RangeError(`${name} is ${value}; it must be from ${lowest} to ${highest}.`);
}
