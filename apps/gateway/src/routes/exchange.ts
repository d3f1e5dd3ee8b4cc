import { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** One request that was taken over from the framework, through all its steps. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  /** Monotonic ms at the end of the head. */
  readonly startedMs: number;
}

/** The status under which a client that went away is counted; it is never sent. */
export const clientGone = 499;

/** Takes a request over from the framework: before its body is read, and so that nothing of the framework runs after it. */
export function takeOver(request: FastifyRequest, reply: FastifyReply): Exchange {
  reply.hijack();
  return { request: request.raw, response: reply.raw, requestId: request.id, startedMs: performance.now() };
}
