import { type ArgumentsHost, Catch, ExceptionFilter, HttpException } from '@nestjs/common';
import { CodedError, ErrorCode, errorBody } from '@podium/messages';
import { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from '../log';
import { isPostgresAway } from '../postgres/is-postgres-away';
import { Span, spanOfRequest, traceFields } from '../trace';

/** The response body of an edge's errors. */
export type ErrorBodyOf = (error: CodedError) => object;

/** `{"error":{"code","message"}}`, the body of all edges except that of competition data. */
const plainErrorBody: ErrorBodyOf = ({ code, message }) => errorBody(code, message);

/** Converts coded errors to HTTP responses: status, Retry-After, and a body in the shape of the edge. */
@Catch()
export class CodedErrorFilter implements ExceptionFilter {
  constructor(
    private readonly logger: Logger,
    private readonly bodyOf: ErrorBodyOf = plainErrorBody,
  ) {}

  catch(exception: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    sendError(
      toCodedError(exception),
      http.getRequest<FastifyRequest>(),
      http.getResponse<FastifyReply>(),
      this.logger,
      this.bodyOf,
    );
  }
}

/** The request of an error, as its log line shows it. */
export interface RefusedRequest {
  readonly requestId: string;
  readonly span: Span | undefined;
}

/** The response to a coded error. */
export interface ErrorResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
}

/** Responds with a coded error; only faults of this service are logged with their cause. */
export function sendError(
  error: CodedError,
  request: FastifyRequest,
  reply: FastifyReply,
  logger: Logger,
  bodyOf: ErrorBodyOf = plainErrorBody,
): void {
  const { id: requestId, raw } = request;
  const { status, headers, body } = errorResponse(error, { requestId, span: spanOfRequest(raw) }, logger, bodyOf);
  reply.status(status).headers(headers).send(body);
}

/** The response to a coded error; only faults of this service are logged with their cause. */
export function errorResponse(
  error: CodedError,
  { requestId, span }: RefusedRequest,
  logger: Logger,
  bodyOf: ErrorBodyOf = plainErrorBody,
): ErrorResponse {
  if (error.status >= 500)
    logger.error(
      {
        request_id: requestId,
        error_code: error.code,
        internal: error.internal,
        err: error.cause,
        ...traceFields(span),
      },
      error.message,
    );
  const headers: Record<string, string> = { 'content-type': 'application/json; charset=utf-8' };
  if (error.retryAfterS !== undefined) headers['retry-after'] = String(error.retryAfterS);
  if (error.code === 'unauthorized') headers['www-authenticate'] = 'Bearer';
  return { status: error.status, headers, body: bodyOf(error) };
}

/** Converts a thrown value to a coded error; without a code it is an internal error without details. */
export function toCodedError(exception: unknown): CodedError {
  if (exception instanceof CodedError) return exception;
  const status = exception instanceof HttpException ? exception.getStatus() : statusOf(exception);
  const code = status === undefined ? undefined : codeByStatus.get(status);
  if (code !== undefined) return new CodedError(code, { cause: exception });
  if (isPostgresAway(exception))
    return new CodedError('unavailable', {
      cause: exception,
      internal: 'Postgres is unavailable, overloaded or too slow',
    });
  return new CodedError('internal_error', { cause: exception });
}

const codeByStatus = new Map<number, ErrorCode>([
  [400, 'invalid_request'],
  [401, 'unauthorized'],
  [403, 'forbidden'],
  [404, 'not_found'],
  [405, 'method_not_allowed'],
  [408, 'request_timeout'],
  [409, 'conflict'],
  [413, 'payload_too_large'],
  [415, 'unsupported_media_type'],
  [431, 'headers_too_large'],
]);

function statusOf(exception: unknown): number | undefined {
  const status = (exception as { statusCode?: unknown } | null)?.statusCode;
  return typeof status === 'number' ? status : undefined;
}
