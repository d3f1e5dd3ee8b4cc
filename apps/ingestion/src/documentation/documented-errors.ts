import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiProperty, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import { ErrorCode, ErrorRow, errorBody, errorCatalogue } from '@podium/messages';
import type { RetryClass } from '@podium/messages';

/** The error, for a person and for a program. */
export class SendEventProblemDto {
  @ApiProperty({ example: 'invalid_request', description: 'A code of the error catalogue' })
  code: string;

  @ApiProperty({
    example: 'event.created_at looks like milliseconds; it must be Unix seconds at which the event happened.',
  })
  message: string;

  @ApiProperty({
    enum: ['never', 'later', 'pause', 'now'] satisfies RetryClass[],
    description:
      'never: the same bytes cannot succeed, keep them for a person. later: set the event aside on a schedule of its own. ' +
      'pause: stop sending and tell a person. now: send it again after Retry-After, then with growing delays',
  })
  retry: RetryClass;
}

/** Body of every error (specification, Send-event error body). */
export class SendEventErrorDto {
  @ApiProperty({ type: SendEventProblemDto })
  error: SendEventProblemDto;
}

/** The error codes of every operation with partner events before its events are looked at, in the order of the checks. */
export const requestCodes = [
  'headers_too_large',
  'request_timeout',
  'unauthorized',
  'environment_mismatch',
  'forbidden',
  'integration_paused',
  'rate_limited',
  'unsupported_media_type',
  'payload_too_large',
  'invalid_request',
] as const satisfies readonly ErrorCode[];

/** Those of an operation whose requests have no body, so that their media type is not looked at. */
export const readCodes = requestCodes.filter((code) => code !== 'unsupported_media_type');

/** The error codes of our own faults. */
export const faultCodes = ['unavailable', 'overloaded', 'internal_error'] as const satisfies readonly ErrorCode[];

/** What a rate counts. */
export type RateOf = keyof typeof ratesOf;

const ratesOf = {
  events: {
    limit: 'Events per second of the platform, all its keys together',
    remaining: 'Events left at this moment',
  },
  questions: {
    limit: 'Questions about event ids per second of the platform, all its keys together; not the rate of events',
    remaining: 'Questions left at this moment',
  },
} as const;

interface ErrorOptions {
  /** Answers with such a code may name its other retry class, with an example `<code>_<class>`. */
  readonly otherRetryOf?: readonly ErrorCode[];
  readonly rateOf?: RateOf;
}

/** Documents the errors of an operation: each code at its status, with an example. */
export function ApiErrors(errorCodes: readonly ErrorCode[], options: ErrorOptions = {}): MethodDecorator {
  const { otherRetryOf = [] } = options;
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of errorCodes) {
    const { status } = errorCatalogue[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return applyDecorators(
    ApiExtraModels(SendEventErrorDto),
    ...[...byStatus].map(([status, codes]) =>
      ApiResponse({
        status,
        description: codes.map((code) => `\`${code}\`: ${errorCatalogue[code].publicSentence}`).join(' '),
        headers: errorHeaders(status, codes, options),
        content: {
          'application/json': {
            schema: { $ref: getSchemaPath(SendEventErrorDto) },
            examples: Object.fromEntries(codes.flatMap((code) => examplesOf(code, otherRetryOf))),
          },
        },
      }),
    ),
  );
}

interface Example {
  readonly summary?: string;
  readonly value: object;
}

function examplesOf(code: ErrorCode, otherRetryOf: readonly ErrorCode[]): [string, Example][] {
  const { otherRetry }: ErrorRow = errorCatalogue[code];
  const usual: [string, Example] = [code, { value: errorBody(code) }];
  if (!otherRetry || !otherRetryOf.includes(code)) return [usual];
  const { retry, when } = otherRetry;
  return [usual, [`${code}_${retry}`, { summary: `${code} ${when}`, value: errorBody(code, undefined, retry) }]];
}

type Headers = Record<string, { description: string; schema: { type: 'integer' | 'string'; minimum?: number } }>;

function errorHeaders(
  status: number,
  codes: readonly ErrorCode[],
  { otherRetryOf = [], rateOf }: ErrorOptions,
): Headers {
  const headers: Headers = status === 429 ? rateHeaders(rateOf) : {};
  const hasRetryAfter = (code: ErrorCode): boolean =>
    (errorCatalogue[code] as ErrorRow).retryAfterS !== undefined || otherRetryOf.includes(code);
  if (codes.some(hasRetryAfter))
    headers['Retry-After'] = {
      description: 'Whole seconds after which a retry makes sense',
      schema: { type: 'integer', minimum: 1 },
    };
  if (status === 401) headers['WWW-Authenticate'] = { description: 'Bearer', schema: { type: 'string' } };
  return headers;
}

/** The headers of a response once the rate was checked. */
export function rateHeaders(rateOf: RateOf = 'events'): Headers {
  const { limit, remaining } = ratesOf[rateOf];
  return {
    'RateLimit-Limit': { description: limit, schema: { type: 'string' } },
    'RateLimit-Remaining': { description: remaining, schema: { type: 'integer', minimum: 0 } },
    'RateLimit-Reset': {
      description: 'Seconds until the full limit is available again',
      schema: { type: 'integer', minimum: 0 },
    },
  };
}
