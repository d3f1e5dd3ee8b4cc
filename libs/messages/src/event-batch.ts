/**
 * The internal request from gateway to ingestion: many partner events as length-prefixed raw bodies. The response has a
 * status, a Retry-After and the JSON bytes for each. All integers are big-endian.
 */
export const eventBatchPath = '/internal/v1/events';

/** The same request and response for events that are only checked: nothing is stored, published or counted. */
export const eventValidationPath = '/internal/v1/events/validate';

/** Content type of both frames. */
export const eventBatchContentType = 'application/vnd.podium.event-batch.v1';

/**
 * Header with the milliseconds that ingestion has for a batch from its sending. It is a duration and not a time of day,
 * because clocks differ: with a clock ahead, ingestion would find every batch too late.
 */
export const timeLeftHeader = 'x-podium-time-left-ms';

/** The same deadline as Unix ms of the gateway's clock, for ingestion of the previous release; to be removed in the next. */
export const formerDeadlineHeader = 'x-podium-deadline';

/**
 * Response header of ingestion: no event with a 5XX status, or no event at all in an error of the whole batch, is or will be
 * in the topic. The gateway may send such an event to another instance without duplicating it.
 */
export const notProducedHeader = 'x-podium-not-produced';

/** One partner event of a batch: the caller's data from the gateway, and the unchanged body. */
export interface BatchedEvent {
  /** The platform of the caller's key. */
  platform: string;
  requestId: string;
  /** Unix ms at the gateway. */
  receivedAtMs: number;
  /** Trace context of the gateway's span of the request; empty when there is none. */
  traceparent: string;
  body: Buffer;
}

/** The response to one event, in the order of the request. */
export interface BatchedAnswer {
  status: number;
  /** Whole seconds; 0 means none. */
  retryAfterS: number;
  /** JSON bytes for the partner. */
  body: Buffer;
}

/** A malformed frame; the whole request is refused. */
export class BrokenFrameError extends Error {}

const maxFrameEvents = 10_000;

/** Encodes events as one frame: u32 count, then per event u32 head length, head JSON, u32 body length, body. */
export function encodeEvents(events: readonly BatchedEvent[]): Buffer {
  const heads = events.map((event) =>
    Buffer.from(JSON.stringify([event.platform, event.requestId, event.receivedAtMs, event.traceparent])),
  );
  let size = 4;
  for (let i = 0; i < events.length; i++) size += 8 + heads[i].length + events[i].body.length;
  const frame = Buffer.allocUnsafe(size);
  let at = frame.writeUInt32BE(events.length, 0);
  for (let i = 0; i < events.length; i++) {
    at = frame.writeUInt32BE(heads[i].length, at);
    at += heads[i].copy(frame, at);
    at = frame.writeUInt32BE(events[i].body.length, at);
    at += events[i].body.copy(frame, at);
  }
  return frame;
}

/** Decodes a frame of events; bodies are views into the frame. Throws `BrokenFrameError`. */
export function decodeEvents(frame: Buffer): BatchedEvent[] {
  const reader = new FrameReader(frame);
  const count = reader.count();
  const events: BatchedEvent[] = [];
  for (let i = 0; i < count; i++) {
    const head = reader.bytes(reader.u32());
    events.push(eventOf(head, reader.bytes(reader.u32())));
  }
  reader.end();
  return events;
}

/** Encodes responses as one frame: u32 count, then per response u16 status, u32 Retry-After, u32 length, JSON. */
export function encodeAnswers(answers: readonly BatchedAnswer[]): Buffer {
  let size = 4;
  for (const answer of answers) size += 10 + answer.body.length;
  const frame = Buffer.allocUnsafe(size);
  let at = frame.writeUInt32BE(answers.length, 0);
  for (const answer of answers) {
    at = frame.writeUInt16BE(answer.status, at);
    at = frame.writeUInt32BE(answer.retryAfterS, at);
    at = frame.writeUInt32BE(answer.body.length, at);
    at += answer.body.copy(frame, at);
  }
  return frame;
}

/** Decodes a frame of responses. Throws `BrokenFrameError`. */
export function decodeAnswers(frame: Buffer): BatchedAnswer[] {
  const reader = new FrameReader(frame);
  const count = reader.count();
  const answers: BatchedAnswer[] = [];
  for (let i = 0; i < count; i++) {
    const status = reader.u16();
    const retryAfterS = reader.u32();
    answers.push({ status, retryAfterS, body: reader.bytes(reader.u32()) });
  }
  reader.end();
  return answers;
}

function eventOf(bytes: Buffer, body: Buffer): BatchedEvent {
  let head: unknown;
  try {
    head = JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new BrokenFrameError('a head is not JSON');
  }
  if (!Array.isArray(head)) throw new BrokenFrameError('a head is not a list');
  const [platform, requestId, receivedAtMs, traceparent]: unknown[] = head;
  if (
    typeof platform !== 'string' ||
    typeof requestId !== 'string' ||
    typeof receivedAtMs !== 'number' ||
    typeof traceparent !== 'string'
  )
    throw new BrokenFrameError('a head has a wrong field');
  return { platform, requestId, receivedAtMs, traceparent, body };
}

class FrameReader {
  private at = 0;

  constructor(private readonly frame: Buffer) {}

  count(): number {
    const count = this.u32();
    if (count > maxFrameEvents) throw new BrokenFrameError(`a frame of ${count} entries is too long`);
    return count;
  }

  u16(): number {
    this.need(2);
    const value = this.frame.readUInt16BE(this.at);
    this.at += 2;
    return value;
  }

  u32(): number {
    this.need(4);
    const value = this.frame.readUInt32BE(this.at);
    this.at += 4;
    return value;
  }

  bytes(length: number): Buffer {
    this.need(length);
    const value = this.frame.subarray(this.at, this.at + length);
    this.at += length;
    return value;
  }

  end(): void {
    if (this.at !== this.frame.length) throw new BrokenFrameError('a frame has bytes after its end');
  }

  private need(length: number): void {
    if (this.at + length > this.frame.length) throw new BrokenFrameError('a frame is cut short');
  }
}
