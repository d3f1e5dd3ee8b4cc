import { FastifyAdapter, NestFastifyApplication } from '@nestjs/platform-fastify';
import { CodedError, dataErrorBody } from '@podium/messages';
import { createHttpAdapter } from '@podium/runtime/app';
import { CodedErrorFilter, sendError } from '@podium/runtime/http';
import { Logger } from '@podium/runtime/log';

/** Longer ids do not exist; the parameters themselves say so. */
const maxParamLength = 4096;

/** The server under the reads: what it refuses before a route is found has the shape of the data edge too. */
export function createDataAdapter(logger: Logger): FastifyAdapter {
  const options = {
    routerOptions: { maxParamLength },
    // A path that is not UTF-8 in percent-encoding, or too long, names nothing.
    frameworkErrors: (error, request, reply) =>
      sendError(new CodedError('not_found', { cause: error }), request, reply, logger, dataErrorBody),
    skipMiddie: true,
  } satisfies Parameters<typeof createHttpAdapter>[0] & { skipMiddie: boolean };
  return createHttpAdapter(options);
}

/** Gives all errors of the application the shape of the data edge; to be called before it listens. */
export function prepareDataErrors(app: NestFastifyApplication, logger: Logger): void {
  app.useGlobalFilters(new CodedErrorFilter(logger, dataErrorBody));
}
