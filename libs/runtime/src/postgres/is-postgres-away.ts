/**
 * Whether the database is unreachable or cannot execute a statement now. By SQLSTATE class: no connection (08), refused (28,
 * 3D), rolled back by the server (40), out of resources (53), stopping or past the time limit (57), system error (58), or
 * a standby, which refuses to write (25006) or to say its timeline (55000). Otherwise by errors of the network or the client.
 */
export function isPostgresAway(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  if (typeof code === 'string')
    return /^((08|28|3D|40|53|57|58)[0-9A-Z]{3}|25006|55000)$/.test(code) || networkCodes.has(code);
  return typeof message === 'string' && connectionProblems.some((problem) => message.includes(problem));
}

const networkCodes = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EPIPE', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'],
]);

/** Messages of the client's errors without a code. */
const connectionProblems = [
  'Connection terminated',
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Client has encountered a connection error',
  'Query read timeout',
];
