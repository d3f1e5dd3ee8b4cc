import { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** An HTTP server to close; times in ms. */
export interface ClosingServer {
  readonly server: Server;
  /** Stops listening; resolves once no connection is left. */
  readonly close: () => Promise<unknown>;
  /** Number of requests whose response has not ended. */
  readonly requestsInFlight: () => number;
  /** How long requests in progress may take to end. */
  readonly waitMs: number;
}

/** A client that has begun a request gets this long to complete its head, ms. */
const graceMs = 500;
const pollMs = 20;

/**
 * Closes a server once its requests in progress have ended. Then it ends the other connections too: Node waits without a bound
 * for one that has sent nothing or only part of a head, because it ends its own time limits when it stops listening. Rejects
 * when connections with requests in progress are left after `waitMs`; they are ended.
 */
export async function closeServer({ server, close, requestsInFlight, waitMs }: ClosingServer): Promise<void> {
  const startedMs = performance.now();
  let isOpen = true;
  const closed = close().finally(() => (isOpen = false));
  closed.catch(() => undefined);
  const isWaiting = (): boolean => {
    const waitedMs = performance.now() - startedMs;
    return isOpen && waitedMs < waitMs && (waitedMs < graceMs || requestsInFlight() > 0);
  };
  while (isWaiting()) await sleep(pollMs);
  const unfinished = isOpen ? requestsInFlight() : 0;
  server.closeAllConnections();
  await closed;
  if (unfinished > 0) throw new Error(`${unfinished} requests in progress did not end within ${waitMs} ms`);
}
