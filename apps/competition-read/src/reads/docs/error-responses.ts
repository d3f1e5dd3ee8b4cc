import { ErrorCode, ErrorRow, dataErrorBody, errorCatalogue } from '@podium/messages';
import { Type } from '@sinclair/typebox';
import type { Reply } from '../read-row';
import { schemaPath } from './component-schemas';
import { cacheHeaders, rateHeaders, referencesTo } from './headers';

/** The body of every error. */
export const errorReply: Reply = {
  name: 'DataError',
  schema: Type.Object(
    {
      errors: Type.Array(
        Type.Object({
          message: Type.String({ description: 'What is wrong, for people' }),
          code: Type.String({ description: 'Such as err_nf0' }),
          http_status: Type.Integer({ description: 'The status of the answer' }),
          parameters: Type.Array(Type.String(), { description: 'Names of the arguments at fault' }),
        }),
      ),
    },
    { description: 'The body of every error' },
  ),
};

/** Answers of every read, and of the edge in front of it, beside its 200, by name. */
const names = {
  304: 'NotModified',
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  408: 'RequestTimeout',
  413: 'PayloadTooLarge',
  429: 'TooManyRequests',
  431: 'HeadersTooLarge',
  500: 'InternalError',
  503: 'Unavailable',
} as const;

/** These answers as components. */
export const responseComponents: Readonly<Record<string, object>> = {
  [names[304]]: { description: 'The client has this answer already (If-None-Match)', headers: cacheHeaders },
  [names[400]]: errorResponse('invalid_request'),
  [names[401]]: errorResponse('unauthorized', 'www-authenticate'),
  [names[403]]: errorResponse('forbidden'),
  [names[404]]: errorResponse('not_found'),
  [names[408]]: errorResponse('request_timeout'),
  [names[413]]: errorResponse('payload_too_large'),
  [names[429]]: errorResponse('rate_limited', 'retry-after'),
  [names[431]]: errorResponse('headers_too_large'),
  [names[500]]: errorResponse('internal_error'),
  [names[503]]: errorResponse('unavailable', 'retry-after'),
};

/** References to them, by status. */
export const responseReferences: Readonly<Record<string, { $ref: string }>> = Object.fromEntries(
  Object.entries(names).map(([status, name]) => [status, { $ref: `#/components/responses/${name}` }]),
);

function errorResponse(code: ErrorCode, ...headers: Parameters<typeof referencesTo>): object {
  const { publicSentence }: ErrorRow = errorCatalogue[code];
  return {
    description: publicSentence,
    headers: { ...(knowsTheKey(code) && rateHeaders), ...referencesTo(...headers) },
    content: {
      'application/json': { schema: { $ref: schemaPath + errorReply.name }, example: dataErrorBody(code) },
    },
  };
}

/** Whether the key, and so its rate, is known by the time of an answer. */
function knowsTheKey(code: ErrorCode): boolean {
  return code !== 'unauthorized' && code !== 'request_timeout' && code !== 'headers_too_large';
}
