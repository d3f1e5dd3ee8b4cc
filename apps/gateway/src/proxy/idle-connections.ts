/**
 * How long an unused connection to a service stays open, ms: less than any server's own time and less than the drain of an
 * instance that stops, so that no request goes to a connection that is being closed. The maximum is given too, because servers
 * name their own time in Keep-Alive, which the client would follow.
 */
export const idleConnections = { keepAliveTimeout: 4_000, keepAliveMaxTimeout: 4_000 } as const;
