/**
 * Whether the database is unreachable or cannot execute a statement now. By SQLSTATE class: no connection (08), refused (28,
 * 3D), rolled back by the server (40), out of resources (53), stopping or past the time limit (57), system error (58), or
 * a standby, which refuses to write (25006) or to say its timeline (55000). Otherwise by errors of the network, of this process,
 * which may have no descriptors or ports left for a connection, of TLS, or of the client.
 */
export function isPostgresAway(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  if (typeof code === 'string')
    return (
      /^((08|28|3D|40|53|57|58)[0-9A-Z]{3}|25006|55000)$/.test(code) ||
      connectionCodes.has(code) ||
      code.startsWith('EAI_') ||
      isTlsFailure(code)
    );
  return typeof message === 'string' && connectionProblems.some((problem) => message.includes(problem));
}

/** Whether a code says that the two sides do not trust each other, as while certificates are replaced. */
export function isTlsFailure(code: string): boolean {
  return /^(CERT_|CRL_|DEPTH_ZERO_|EPROTO$|ERR_SSL_|ERR_TLS_|HOSTNAME_|INVALID_CA$|SELF_SIGNED_|UNABLE_TO_)/.test(code);
}

const connectionCodes = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'ETIMEDOUT', 'EPIPE', 'ENOTFOUND'],
  ...['EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ENETDOWN', 'ENETRESET'],
  // No descriptors, memory or local ports for a connection, or none allowed.
  ...['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'EADDRNOTAVAIL', 'EPERM', 'EACCES'],
]);

/** Messages of the client's errors without a code. */
const connectionProblems = [
  'Connection terminated',
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Client has encountered a connection error',
  'Query read timeout',
];
