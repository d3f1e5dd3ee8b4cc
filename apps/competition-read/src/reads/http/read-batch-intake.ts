import {
  BatchedRead,
  BrokenFrameError,
  CodedError,
  dataErrorBody,
  decodeReads,
  readBatchContentType,
  readBatchPath,
} from '@podium/messages';
import { InternalToken, internalTokenHeader, sendError, toCodedError } from '@podium/runtime/http';
import { Logger } from '@podium/runtime/log';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import findMyWay from 'find-my-way';
import type { OutgoingHttpHeaders } from 'node:http';
import type { ReadRow } from '../rows/read-row';
import { BatchAnswers } from './batch-answers';
import { maxParamLength } from './http-adapter';
import { dataPath, routeOf } from './page-links';
import { PathParameters, ReadHandler, ReadRequest } from './read-handler';
import type { ReadResponse } from './read-response';

/** The targets and headers of a batch; the gateway takes targets and headers of at most 16 KiB, and a key's scopes have 13 KiB. */
const maxBatchBytes = 2 * 1024 * 1024;

/**
 * The internal route on which the gateway delivers reads that came at the same time, each of which is answered as if it had come
 * alone, as soon as it is done. A connection, a parser and a framework for each would cost more than most reads.
 */
export class ReadBatchIntake {
  private readonly router = findMyWay({
    maxParamLength,
    // The rows parse their queries themselves.
    querystringParser: () => ({}),
  });

  constructor(
    private readonly handler: Pick<ReadHandler, 'respond' | 'refuse'>,
    rows: readonly ReadRow[],
    private readonly options: { readonly internalToken: InternalToken; readonly logger: Logger },
  ) {
    for (const row of rows) this.router.on('GET', dataPath + routeOf(row), () => undefined, row);
  }

  /** Registers the route in a scope of its own, so that other routes keep their parsers. */
  async register(fastify: FastifyInstance): Promise<void> {
    const { internalToken, logger } = this.options;
    await fastify.register(async (scope) => {
      scope.addContentTypeParser(
        readBatchContentType,
        { parseAs: 'buffer', bodyLimit: maxBatchBytes },
        (_request, body, done) => done(null, body),
      );
      scope.route({
        method: 'POST',
        url: readBatchPath,
        bodyLimit: maxBatchBytes,
        // Checked before the body is read, so that other callers than the gateway cost little.
        onRequest: async (request) => internalToken.require(request.headers[internalTokenHeader]),
        handler: (request, reply) => this.handle(request, reply),
        errorHandler: (error, request, reply) => sendError(toCodedError(error), request, reply, logger, dataErrorBody),
      });
    });
  }

  private handle(request: FastifyRequest, reply: FastifyReply): void {
    const reads = decodeBatch(request.body);
    reply.hijack();
    // With what hooks have set, such as the end of the connection during the drain.
    reply.raw.writeHead(200, { ...reply.getHeaders(), 'content-type': readBatchContentType } as OutgoingHttpHeaders);
    const answers = new BatchAnswers(reply.raw, reads.length);
    for (let place = 0; place < reads.length; place++)
      this.respond(reads[place]).then(
        (response) => answers.add(place, response),
        (error: unknown) => {
          this.options.logger.error({ err: error }, 'a read of a batch failed; the gateway sends its reads alone');
          reply.raw.destroy();
        },
      );
  }

  private async respond({ target, headers }: BatchedRead): Promise<ReadResponse> {
    const request: ReadRequest = { url: target, headers, requestId: headers['x-request-id'] ?? '', span: undefined };
    const found = this.router.find('GET', target);
    if (found === null) return this.handler.refuse(new CodedError('not_found'), request);
    return this.handler.respond(found.store as ReadRow, found.params as PathParameters, request);
  }
}

function decodeBatch(body: unknown): BatchedRead[] {
  try {
    // Another type of content than that of batches is parsed as JSON.
    if (!Buffer.isBuffer(body)) throw new BrokenFrameError('its Content-Type is another one');
    return decodeReads(body);
  } catch (error) {
    if (error instanceof BrokenFrameError)
      throw new CodedError('invalid_request', { message: `The batch is broken: ${error.message}.` });
    throw error;
  }
}
