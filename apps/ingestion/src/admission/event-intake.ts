import {
  BatchedEvent,
  BrokenFrameError,
  CodedError,
  decodeEvents,
  encodeAnswers,
  eventBatchContentType,
  eventBatchPath,
  eventValidationPath,
  notProducedHeader,
  timeLeftHeader,
} from '@podium/messages';
import { InternalToken, internalTokenHeader, sendError, toCodedError } from '@podium/runtime/http';
import { Logger } from '@podium/runtime/log';
import { Gauge, Registry } from '@podium/runtime/metrics';
import { spanOfRequest, traceFields } from '@podium/runtime/trace';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { BatchAdmission } from './admit-batch';
import { EventAnswer } from './event-answer';
import { EventTraces } from './event-traces';
import { EventValidation } from './event-validation';

/** Largest frame, bytes; the gateway sends up to 1 MiB. */
const maxFrameBytes = 2 * 1024 * 1024;
/** The deadline of a batch, ms, when the gateway allows more or sends none. */
const batchMs = 4000;

/** The internal routes on which the gateway delivers events; raw routes, because their bodies are not JSON. */
export class EventIntake {
  private inFlight = 0;
  /** Requests whose admission has begun. */
  private readonly admitted = new WeakSet<FastifyRequest>();

  constructor(
    private readonly parts: {
      readonly admission: Pick<BatchAdmission, 'admit'>;
      readonly validation: Pick<EventValidation, 'validate'>;
    },
    private readonly internalToken: InternalToken,
    private readonly options: { maxInFlightEvents: number; logger: Logger },
    registry: Registry,
  ) {
    const inFlight = (): number => this.inFlight;
    new Gauge({
      name: 'ingestion_events_in_flight',
      help: 'Events received and not yet answered',
      registers: [registry],
      collect() {
        this.set(inFlight());
      },
    });
  }

  /** Registers the routes in a scope of their own, so that other routes keep their parsers. */
  async register(fastify: FastifyInstance): Promise<void> {
    await fastify.register(async (scope) => {
      scope.addContentTypeParser(
        eventBatchContentType,
        { parseAs: 'buffer', bodyLimit: maxFrameBytes },
        (_request, body, done) => done(null, body),
      );
      const { admission, validation } = this.parts;
      this.open(scope, eventBatchPath, async (request, events, deadlineMs) => {
        const batchSpan = spanOfRequest(request.raw);
        const traces = EventTraces.begin(events, batchSpan);
        const answers = await admission.admit(events, deadlineMs, traceFields(batchSpan));
        traces?.end(answers, this.options.logger);
        return answers;
      });
      this.open(scope, eventValidationPath, (_request, events, deadlineMs) =>
        Promise.all(events.map((event) => validation.validate(event, deadlineMs))),
      );
    });
  }

  private open(scope: FastifyInstance, url: string, answer: AnswerEvents): void {
    scope.route({
      method: 'POST',
      url,
      bodyLimit: maxFrameBytes,
      // Checked before the body is read, so that other callers than the gateway cost little.
      onRequest: async (request) => this.internalToken.require(request.headers[internalTokenHeader]),
      handler: (request, reply) => this.handle(request, reply, answer),
      errorHandler: (error, request, reply) => {
        if (!this.admitted.has(request)) void reply.header(notProducedHeader, '1');
        sendError(toCodedError(error), request, reply, this.options.logger);
      },
    });
  }

  private async handle(request: FastifyRequest, reply: FastifyReply, answer: AnswerEvents): Promise<FastifyReply> {
    const timeLeftMs = timeLeftOf(request.headers[timeLeftHeader]);
    if (timeLeftMs === 0) throw new CodedError('unavailable', { internal: 'the batch arrived after its deadline' });
    const deadlineMs = performance.now() + timeLeftMs;
    const events = decodeFrame(request.body);
    if (this.inFlight > 0 && this.inFlight + events.length > this.options.maxInFlightEvents)
      throw new CodedError('overloaded', { internal: `${this.inFlight} events are in flight` });
    this.inFlight += events.length;
    this.admitted.add(request);
    try {
      const answers = await answer(request, events, deadlineMs);
      if (!answers.some(({ isUnknown }) => isUnknown)) void reply.header(notProducedHeader, '1');
      return reply.header('content-type', eventBatchContentType).send(encodeAnswers(answers));
    } finally {
      this.inFlight -= events.length;
    }
  }
}

/** Answers the events of a request in their order; `deadlineMs` is monotonic: the time of day may be set meanwhile. */
type AnswerEvents = (
  request: FastifyRequest,
  events: readonly BatchedEvent[],
  deadlineMs: number,
) => Promise<readonly EventAnswer[]>;

/** The header is missing from a gateway of the previous release, whose clock time cannot be used here. */
function timeLeftOf(header: string | string[] | undefined): number {
  if (header === undefined) return batchMs;
  if (typeof header !== 'string' || !/^\d{1,9}$/.test(header))
    throw new CodedError('invalid_request', { message: `${timeLeftHeader} is not a number of milliseconds.` });
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
