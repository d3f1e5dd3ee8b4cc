import { ErrorCode, ErrorRow, dataErrorBody, errorCatalogue } from '@podium/messages';
import { Type } from '@sinclair/typebox';
import type { Reply } from '../rows/read-row';
import { schemaPath } from './component-schemas';
import { cacheHeaders, rateHeaders, referencesTo } from './headers';

/** The body of every error. */
export const errorReply: Reply = {
  name: 'DataError',
  schema: Type.Object(
    {
      errors: Type.Array(
        Type.Object({
          message: Type.String({ description: 'Description of the error, for people' }),
          code: Type.String({ description: 'Error code, such as err_nf0' }),
          http_status: Type.Integer({ description: 'The status of the response' }),
          parameters: Type.Array(Type.String(), { description: 'Names of the invalid arguments' }),
        }),
      ),
    },
    { description: 'The body of every error' },
  ),
};

/** Names of the responses other than 200, of every read and of the gateway. */
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

/** These responses as components. */
export const responseComponents: Readonly<Record<string, object>> = {
  [names[304]]: {
    description: 'Not modified: the client has this response already (If-None-Match)',
    headers: cacheHeaders,
  },
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

/** Whether the key, and so its rate, is known by the time of the response. */
function knowsTheKey(code: ErrorCode): boolean {
  return code !== 'unauthorized' && code !== 'request_timeout' && code !== 'headers_too_large';
}
