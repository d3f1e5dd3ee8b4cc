import { OpenAPIObject } from '@nestjs/swagger';
import { ErrorCode, ErrorRow, errorBody, errorCatalogue } from '../../libs/messages/src';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;

const schemaName = 'EdgeError';

/** What any request of a user or an operator may be answered. */
const ofAll: readonly ErrorCode[] = [
  'invalid_request',
  'unauthorized',
  'forbidden',
  'not_found',
  'request_timeout',
  'rate_limited',
  'headers_too_large',
  'internal_error',
  'unavailable',
  'overloaded',
];
/** What a request that changes something may be answered besides. */
const ofChanges: readonly ErrorCode[] = ['conflict', 'payload_too_large', 'unsupported_media_type', 'unprocessable'];

/** Adds to every operation the errors of its edge, in the shape of all edges but that of competition data. */
export function addEdgeErrors(document: OpenAPIObject): void {
  document.components = {
    ...document.components,
    schemas: { ...document.components?.schemas, [schemaName]: errorSchema },
    responses: responsesOf([...ofAll, ...ofChanges]) as never,
  };
  for (const path of Object.values(document.paths))
    for (const [method, operation] of Object.entries(path) as [string, Operation][])
      Object.assign(operation.responses, referencesTo(method === 'get' ? ofAll : [...ofAll, ...ofChanges]));
}

const errorSchema = {
  type: 'object',
  description: 'The body of every error',
  properties: {
    error: {
      type: 'object',
      properties: {
        code: { type: 'string', description: 'A code of the error catalogue', enum: Object.keys(errorCatalogue) },
        message: { type: 'string', description: 'What is wrong, for people' },
      },
      required: ['code', 'message'],
    },
  },
  required: ['error'],
};

function responsesOf(codes: readonly ErrorCode[]): Record<string, object> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    const { status } = errorCatalogue[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries([...byStatus].map(([status, group]) => [`Error${status}`, responseOf(group)]));
}

function referencesTo(codes: readonly ErrorCode[]): Record<string, { $ref: string }> {
  const statuses = new Set(codes.map((code) => errorCatalogue[code].status));
  return Object.fromEntries([...statuses].map((status) => [status, { $ref: `#/components/responses/Error${status}` }]));
}

function responseOf(codes: readonly ErrorCode[]): object {
  const rows = codes.map((code): ErrorRow => errorCatalogue[code]);
  const headers = {
    ...(rows.some(({ retryAfterS }) => retryAfterS !== undefined) && {
      'Retry-After': {
        description: 'Whole seconds after which a retry makes sense',
        schema: { type: 'integer', minimum: 1 },
      },
    }),
    ...(codes.includes('unauthorized') && {
      'WWW-Authenticate': { description: 'Bearer', schema: { type: 'string' } },
    }),
  };
  return {
    description: codes.map((code, at) => `\`${code}\`: ${rows[at].publicSentence}`).join(' '),
    headers,
    content: {
      'application/json': {
        schema: { $ref: `#/components/schemas/${schemaName}` },
        examples: Object.fromEntries(codes.map((code) => [code, { value: errorBody(code) }])),
      },
    },
  };
}
