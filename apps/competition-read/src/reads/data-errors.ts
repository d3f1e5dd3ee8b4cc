import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import { CodedError, dataErrorBody } from '@podium/messages';
import { toCodedError } from '@podium/runtime/http';
import type { Logger } from '@podium/runtime/log';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Answers whatever was thrown outside of reads, such as an unknown path, in the shape of the data edge. */
@Catch()
export class DataErrorFilter implements ExceptionFilter {
  constructor(private readonly logger: Logger) {}

  catch(exception: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    sendDataError(
      toCodedError(exception),
      http.getRequest<FastifyRequest>(),
      http.getResponse<FastifyReply>(),
      this.logger,
    );
  }
}

/** Answers a coded error as `{"errors":[…]}`; only our own faults are logged with their cause. */
export function sendDataError(error: CodedError, request: FastifyRequest, reply: FastifyReply, logger: Logger): void {
  if (error.status >= 500)
    logger.error(
      { request_id: request.id, error_code: error.code, internal: error.internal, err: error.cause },
      error.message,
    );
  if (error.retryAfterS !== undefined) reply.header('retry-after', String(error.retryAfterS));
  if (error.code === 'unauthorized') reply.header('www-authenticate', 'Bearer');
  reply
    .code(error.status)
    .header('content-type', 'application/json; charset=utf-8')
    .send(JSON.stringify(dataErrorBody(error)));
}
