import { Body, Controller, HttpCode, Post, applyDecorators } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiExtraModels,
  ApiOkResponse,
  ApiOperation,
  ApiProperty,
  ApiResponse,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import { ErrorCode, ErrorRow, errorBody, errorCatalogue } from '@podium/messages';
import { SendEventDto } from './send-event.dto';

/** Body of a 200: the event was accepted, now or by an earlier request. */
export class SendEventAnswerDto {
  @ApiProperty({
    enum: ['accepted', 'duplicate'],
    description: 'duplicate: the id was handled before; nothing changed',
  })
  outcome: 'accepted' | 'duplicate';

  @ApiProperty({ example: '5b1f6c1e-9d0a-4f6e-8f6f-0a6f7b1c2d3e' })
  event_id: string;

  @ApiProperty({
    type: [String],
    description: 'Names of attributes that are not negotiated and were left out of the stored event',
    example: ['campaign'],
  })
  dropped_attributes: string[];
}

/** The error, for a person and for a program. */
export class SendEventProblemDto {
  @ApiProperty({ example: 'invalid_request', description: 'A code of the error catalogue' })
  code: string;

  @ApiProperty({
    example: 'event.created_at looks like milliseconds; it must be Unix seconds at which the event happened.',
  })
  message: string;
}

/** Body of every error (specification, Send-event error body). */
export class SendEventErrorDto {
  @ApiProperty({ type: SendEventProblemDto })
  error: SendEventProblemDto;
}

/** The error codes of this operation, in the order of the checks. */
export const sendEventCodes = [
  'headers_too_large',
  'request_timeout',
  'unauthorized',
  'environment_mismatch',
  'integration_paused',
  'rate_limited',
  'unsupported_media_type',
  'payload_too_large',
  'invalid_request',
  'platform_mismatch',
  'event_not_negotiated',
  'user_not_linked',
  'unavailable',
  'overloaded',
  'internal_error',
] as const satisfies readonly ErrorCode[];

/** Documents the partner's one operation in OpenAPI. It serves no request: the gateway receives events, admission parses them. */
@ApiTags('Partner events')
@Controller()
export class SendEventDocumentationController {
  @Post('cdp/v1/users/events/send')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'sendUserEvent',
    summary: 'Send one event of a linked user',
    description:
      'Send every qualifying event of a linked user once it has happened, and earlier events right after linking. ' +
      'Retry every error with the same id, after Retry-After where it is given: an id that was handled before changes ' +
      'nothing and is answered 200. Bodies are JSON in UTF-8 of at most 64 KiB.',
  })
  @ApiBearerAuth('event-key')
  @ApiOkResponse({
    type: SendEventAnswerDto,
    description: 'The event is accepted, or was accepted before',
    headers: rateHeaders(),
  })
  @ApiErrors()
  sendUserEvent(@Body() _event: SendEventDto): SendEventAnswerDto {
    throw new Error('documentation only');
  }
}

function ApiErrors(): MethodDecorator {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of sendEventCodes) {
    const { status } = errorCatalogue[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return applyDecorators(
    ApiExtraModels(SendEventErrorDto),
    ...[...byStatus].map(([status, codes]) =>
      ApiResponse({
        status,
        description: codes.map((code) => `\`${code}\`: ${errorCatalogue[code].publicSentence}`).join(' '),
        headers: errorHeaders(status, codes),
        content: {
          'application/json': {
            schema: { $ref: getSchemaPath(SendEventErrorDto) },
            examples: Object.fromEntries(codes.map((code) => [code, { value: errorBody(code) }])),
          },
        },
      }),
    ),
  );
}

type Headers = Record<string, { description: string; schema: { type: 'integer' | 'string'; minimum?: number } }>;

function errorHeaders(status: number, codes: readonly ErrorCode[]): Headers {
  const headers: Headers = status === 429 ? rateHeaders() : {};
  if (codes.some((code) => (errorCatalogue[code] as ErrorRow).retryAfterS !== undefined))
    headers['Retry-After'] = {
      description: 'Whole seconds after which a retry makes sense',
      schema: { type: 'integer', minimum: 1 },
    };
  if (status === 401) headers['WWW-Authenticate'] = { description: 'Bearer', schema: { type: 'string' } };
  return headers;
}

function rateHeaders(): Headers {
  return {
    'RateLimit-Limit': {
      description: 'Requests per second of the platform, all its keys together',
      schema: { type: 'string' },
    },
    'RateLimit-Remaining': { description: 'Requests left at this moment', schema: { type: 'integer', minimum: 0 } },
    'RateLimit-Reset': {
      description: 'Seconds until the full limit is available again',
      schema: { type: 'integer', minimum: 0 },
    },
  };
}
