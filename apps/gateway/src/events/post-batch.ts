import {
  BatchedAnswer,
  decodeAnswers,
  eventBatchContentType,
  formerDeadlineHeader,
  notProducedHeader,
  timeLeftHeader,
} from '@podium/messages';
import { errorMessage } from '@podium/runtime/errors';
import { internalTokenHeader } from '@podium/runtime/http';
import { Pool } from 'undici';
import { BatchDeadlines } from './event-batches';

/** A batch as it is sent to one instance. */
export interface PostedBatch {
  /** Of the internal request that takes it. */
  readonly path: string;
  readonly frame: Buffer;
  /** Number of events in the frame. */
  readonly events: number;
  readonly deadlines: BatchDeadlines;
  readonly traceparent?: string;
  readonly internalToken: string;
}

/** The responses of an instance. */
export interface InstanceAnswers {
  readonly answers: readonly BatchedAnswer[];
  /** No event with a 5XX response is in the topic or will be. */
  readonly notProduced: boolean;
}

/** No event of the batch is in the topic or will be: it was not sent, or it was refused as a whole. */
export class NothingProducedError extends Error {
  constructor(
    message: string,
    /** The instance received the batch and refused it. */
    readonly wasAsked: boolean,
    readonly wasOverloaded: boolean,
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}

/** Events of the batch may be in the topic. */
export class OutcomeUnknownError extends Error {
  constructor(
    message: string,
    readonly timedOut: boolean,
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}

// Only these mean that no byte of the batch was sent; after any other error its outcome is unknown.
const nothingSent = new Set(['ECONNREFUSED', 'UND_ERR_CONNECT_TIMEOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN']);

/** Sends a frame to one instance and reads its responses; throws `NothingProducedError` or `OutcomeUnknownError`. */
export async function postBatch(pool: Pool, batch: PostedBatch): Promise<InstanceAnswers> {
  const nowMs = performance.now();
  const timeLeftMs = Math.max(0, Math.floor(batch.deadlines.ingestionAtMs - nowMs));
  const signal = AbortSignal.timeout(Math.max(1, Math.ceil(batch.deadlines.gatewayAtMs - nowMs)));
  try {
    const { statusCode, headers, body } = await pool.request({
      method: 'POST',
      path: batch.path,
      headers: {
        'content-type': eventBatchContentType,
        [internalTokenHeader]: batch.internalToken,
        [timeLeftHeader]: String(timeLeftMs),
        [formerDeadlineHeader]: String(Date.now() + timeLeftMs),
        ...(batch.traceparent !== undefined && { traceparent: batch.traceparent }),
      },
      body: batch.frame,
      signal,
    });
    const bytes = Buffer.from(await body.arrayBuffer());
    const notProduced = headers[notProducedHeader] === '1';
    if (statusCode !== 200) throw refusedAsAWhole(statusCode, bytes, notProduced);
    const answers = decodeAnswers(bytes);
    if (answers.length !== batch.events) throw new Error(`${answers.length} answers to ${batch.events} events`);
    return { answers, notProduced };
  } catch (error) {
    if (error instanceof NothingProducedError || error instanceof OutcomeUnknownError) throw error;
    const message = errorMessage(error);
    const { code = '' } = error as { code?: string };
    if (nothingSent.has(code)) throw new NothingProducedError(message, false, false, error);
    throw new OutcomeUnknownError(message, signal.aborted, error);
  }
}

function refusedAsAWhole(status: number, body: Buffer, notProduced: boolean): Error {
  const message = `ingestion answered ${status}`;
  if (!notProduced) return new OutcomeUnknownError(message, false);
  return new NothingProducedError(message, true, body.includes('"code":"overloaded"'));
}
