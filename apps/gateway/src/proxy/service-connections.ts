import { maxServiceHeaderBytes } from '@podium/runtime/app';
import { Pool } from 'undici';

/**
 * How long an unused connection to a service stays open, ms: less than any server's own time and less than the drain of an
 * instance that stops, so that no request goes to a connection that is being closed. The maximum is given too, because servers
 * name their own time in Keep-Alive, which the client would follow.
 */
const idleMs = 4_000;
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
  keepAliveTimeout: idleMs,
  keepAliveMaxTimeout: idleMs,
} satisfies Pool.Options;
