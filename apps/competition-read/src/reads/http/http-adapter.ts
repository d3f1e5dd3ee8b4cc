import { FastifyAdapter, NestFastifyApplication } from '@nestjs/platform-fastify';
import { CodedError, dataErrorBody } from '@podium/messages';
import { createHttpAdapter } from '@podium/runtime/app';
import { CodedErrorFilter, sendError } from '@podium/runtime/http';
import { Logger } from '@podium/runtime/log';

/** Above the length of any id, so that the parameters, not the router, refuse longer ones. */
export const maxParamLength = 4096;

/** The HTTP adapter of the reads; errors before routing have the shape of the data API too. */
export function createDataAdapter(logger: Logger): FastifyAdapter {
  const options = {
    routerOptions: { maxParamLength },
    // A path that is too long, or not percent-encoded UTF-8, cannot exist.
    frameworkErrors: (error, request, reply) =>
      sendError(new CodedError('not_found', { cause: error }), request, reply, logger, dataErrorBody),
    skipMiddie: true,
  } satisfies Parameters<typeof createHttpAdapter>[0] & { skipMiddie: boolean };
  return createHttpAdapter(options);
}

/** Gives all errors the shape of the data API; to be called before the application listens. */
export function prepareDataErrors(app: NestFastifyApplication, logger: Logger): void {
  app.useGlobalFilters(new CodedErrorFilter(logger, dataErrorBody));
}
