import {
  BrokenFrameError,
  CodedError,
  decodeEvents,
  encodeAnswers,
  eventBatchContentType,
  eventBatchPath,
  notProducedHeader,
  timeLeftHeader,
} from '@podium/messages';
import { InternalToken, internalTokenHeader, sendError, toCodedError } from '@podium/runtime/http';
import { Logger } from '@podium/runtime/log';
import { Gauge, Registry } from '@podium/runtime/metrics';
import { spanOfRequest, traceFields } from '@podium/runtime/trace';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { BatchAdmission } from './admit-batch';
import { EventTraces } from './event-traces';

/** Largest frame, bytes; the gateway gathers up to 1 MiB. */
const maxFrameBytes = 2 * 1024 * 1024;
/** A batch's own time, ms, when the gateway gives it more or does not say. */
const batchMs = 4000;

/** The internal route on which the gateway delivers gathered events; a raw route, because its body is no JSON. */
export class EventIntake {
  private inFlight = 0;
  /** Requests whose events have begun to be admitted. */
  private readonly admitted = new WeakSet<FastifyRequest>();

  constructor(
    private readonly admission: Pick<BatchAdmission, 'admit'>,
    private readonly internalToken: InternalToken,
    private readonly options: { maxInFlightEvents: number; logger: Logger; now?: () => number },
    registry: Registry,
  ) {
    const inFlight = (): number => this.inFlight;
    new Gauge({
      name: 'ingestion_events_in_flight',
      help: 'Events taken in and not yet answered',
      registers: [registry],
      collect() {
        this.set(inFlight());
      },
    });
  }

  /** Registers the route; frames are parsed in a scope of their own, so that other routes keep their parsers. */
  async register(fastify: FastifyInstance): Promise<void> {
    await fastify.register(async (scope) => {
      scope.addContentTypeParser(
        eventBatchContentType,
        { parseAs: 'buffer', bodyLimit: maxFrameBytes },
        (_request, body, done) => done(null, body),
      );
      scope.route({
        method: 'POST',
        url: eventBatchPath,
        bodyLimit: maxFrameBytes,
        // Before the body is read: who is not the gateway costs nothing more.
        onRequest: async (request) => this.internalToken.require(request.headers[internalTokenHeader]),
        handler: (request, reply) => this.handle(request, reply),
        errorHandler: (error, request, reply) => {
          if (!this.admitted.has(request)) void reply.header(notProducedHeader, '1');
          sendError(toCodedError(error), request, reply, this.options.logger);
        },
      });
    });
  }

  private async handle(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const timeLeftMs = timeLeftOf(request.headers[timeLeftHeader]);
    if (timeLeftMs === 0) throw new CodedError('unavailable', { internal: 'no time was left on arrival' });
    const deadlineMs = (this.options.now ?? Date.now)() + timeLeftMs;
    const events = decodeFrame(request.body);
    if (this.inFlight > 0 && this.inFlight + events.length > this.options.maxInFlightEvents)
      throw new CodedError('overloaded', { internal: `${this.inFlight} events are in flight` });
    this.inFlight += events.length;
    this.admitted.add(request);
    try {
      const batchSpan = spanOfRequest(request.raw);
      const traces = EventTraces.begin(events, batchSpan);
      const answers = await this.admission.admit(events, deadlineMs, traceFields(batchSpan));
      traces?.end(answers, this.options.logger);
      if (!answers.some(({ isUnknown }) => isUnknown)) void reply.header(notProducedHeader, '1');
      return reply.header('content-type', eventBatchContentType).send(encodeAnswers(answers));
    } finally {
      this.inFlight -= events.length;
    }
  }
}

/** A gateway of the release before says a time of day by its own clock, which is worth nothing here. */
function timeLeftOf(header: string | string[] | undefined): number {
  if (header === undefined) return batchMs;
  if (typeof header !== 'string' || !/^\d{1,9}$/.test(header))
    throw new CodedError('invalid_request', { message: `${timeLeftHeader} is not a number of ms.` });
  return Math.min(Number(header), batchMs);
}

function decodeFrame(body: unknown): ReturnType<typeof decodeEvents> {
  if (!Buffer.isBuffer(body)) throw new CodedError('unsupported_media_type');
  try {
    return decodeEvents(body);
  } catch (error) {
    if (error instanceof BrokenFrameError)
      throw new CodedError('invalid_request', { message: `The frame is broken: ${error.message}.` });
    throw error;
  }
}
