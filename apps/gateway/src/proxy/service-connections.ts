import { maxServiceHeaderBytes } from '@podium/runtime/app';
import { Pool } from 'undici';
import { idleConnections } from './idle-connections';

const connectTimeoutMs = 1_000;
// The requests' own timeouts are shorter; these apply to connections for which no client waits any more.
const silenceMs = 60_000;

/** Options of a pool of connections to a service, each of which has one request at a time. */
export const serviceConnections = {
  pipelining: 1,
  maxHeaderSize: maxServiceHeaderBytes,
  connect: { timeout: connectTimeoutMs },
  headersTimeout: silenceMs,
  bodyTimeout: silenceMs,
  ...idleConnections,
} satisfies Pool.Options;
