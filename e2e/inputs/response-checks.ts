import { ErrorCode, ErrorRow, errorCatalogue } from '@podium/messages';
import { leaksIn } from './leaks';

/** The error format of an edge: pages are for browsers; malformed requests belong to no edge. */
export type EdgeShape = 'plain' | 'data' | 'page' | 'any';

/** A received response. */
export interface SeenAnswer {
  readonly status: number;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** The expectations of a response. */
export interface Expectation {
  readonly shape: EdgeShape;
  /** Allowed statuses; undefined: any below 500. */
  readonly statuses?: ReadonlySet<number>;
  /** A response to HEAD, without a body. */
  readonly isHead?: boolean;
  /** The request as text: repeating its own content is not a leak. */
  readonly request: string;
  /** Values that no response may contain. */
  readonly secrets: readonly string[];
}

/** Problems of a response, with the same text for the same problem; empty when there are none. */
export function faultsOf(answer: SeenAnswer, expected: Expectation): string[] {
  const faults: string[] = [];
  const { status, headers, body } = answer;
  if (status >= 500) faults.push(`${status} for a client error`);
  else if (expected.statuses && !expected.statuses.has(status))
    faults.push(`${status} is not among the documented responses`);
  if (headers['x-request-id'] === undefined && status >= 200) faults.push(`${status} without x-request-id`);
  if (status >= 400 && !expected.isHead) faults.push(...shapeFaults(answer, expected.shape));
  if (status === 401 && headers['www-authenticate'] === undefined) faults.push('401 without WWW-Authenticate');
  if (status === 405 && headers.allow === undefined) faults.push('405 without Allow');
  if (status === 429 && headers['retry-after'] === undefined) faults.push('429 without Retry-After');
  for (const leak of leaksIn(`${JSON.stringify(headers)}\n${body}`, expected.request, expected.secrets))
    faults.push(`${status} shows ${leak}`);
  return faults;
}

function shapeFaults({ status, headers, body }: SeenAnswer, shape: EdgeShape): string[] {
  const type = String(headers['content-type'] ?? '');
  if ((shape === 'page' || shape === 'any') && type.startsWith('text/html')) return [];
  if (!type.startsWith('application/json')) return [`${status} as ${type === '' ? 'no media type' : type}`];
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return [`${status} with a body that is not JSON`];
  }
  if (shape === 'data' || (shape === 'any' && fieldsOf(parsed, ['errors']))) return dataFaults(status, parsed);
  return plainFaults(status, parsed);
}

function plainFaults(status: number, body: unknown): string[] {
  const error = fieldsOf(body, ['error']) && fieldsOf((body as { error: unknown }).error, ['code', 'message', 'retry']);
  if (!error) return [`${status} in another shape than {"error":{"code","message","retry"}}`];
  const { code, message, retry } = error;
  if (typeof message !== 'string' || message === '') return [`${status} without a message`];
  if (typeof code !== 'string' || !Object.hasOwn(errorCatalogue, code)) return [`${status} with an unknown code`];
  const row: ErrorRow = errorCatalogue[code as ErrorCode];
  if (retry !== row.retry && retry !== row.otherRetry?.retry)
    return [`${status} with the code ${code} and another retry class than ${row.retry}`];
  return row.status === status ? [] : [`${status} with the code ${code}, which is ${row.status}`];
}

const dataCodes = new Set<string>(Object.values(errorCatalogue).map(({ dataCode }) => dataCode));

function dataFaults(status: number, body: unknown): string[] {
  const errors = fieldsOf(body, ['errors'])?.errors;
  const fields = ['message', 'code', 'http_status', 'parameters'];
  const error = Array.isArray(errors) && errors.length === 1 ? fieldsOf(errors[0], fields) : undefined;
  if (!error) return [`${status} in another shape than {"errors":[{"message","code","http_status","parameters"}]}`];
  if (typeof error.code !== 'string' || !dataCodes.has(error.code)) return [`${status} with an unknown code`];
  return error.http_status === status ? [] : [`${status} with http_status ${String(error.http_status)}`];
}

/** The object when it has exactly these fields. */
function fieldsOf(value: unknown, names: readonly string[]): Record<string, unknown> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const keys = Object.keys(value);
  if (keys.length !== names.length || !names.every((name) => keys.includes(name))) return undefined;
  return value as Record<string, unknown>;
}
