import { CodedError } from '@podium/messages';
import { toCodedError } from '@podium/runtime/http';

/** The coded error of whatever a read threw. What the database refuses for our own mistake stays an internal error. */
export function readFailure(error: unknown): CodedError {
  if (error instanceof CodedError) return error;
  return isAway(error)
    ? new CodedError('unavailable', { cause: error, internal: 'Postgres is away, overloaded or too slow' })
    : toCodedError(error);
}

/**
 * The database cannot be reached or cannot take a statement now, by SQLSTATE class: no connection (08), refused (28, 3D),
 * taken back by the server (40), out of resources (53), stopping or past the time limit (57), a fault of its system (58);
 * or by what the network or the client says.
 */
function isAway(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  if (typeof code === 'string') return /^(08|28|3D|40|53|57|58)[0-9A-Z]{3}$/.test(code) || /^E[A-Z_]+$/.test(code);
  return typeof message === 'string' && connectionProblems.some((problem) => message.includes(problem));
}

/** What the client says without a code. */
const connectionProblems = [
  'Connection terminated',
  'timeout exceeded when trying to connect',
  'Client has encountered a connection error',
  'Query read timeout',
];
