/**
 * The internal hop gateway → ingestion: many partner events in one request of length-prefixed raw bodies, each answered
 * with a status, a Retry-After and the bytes of its JSON answer. All integers are big-endian.
 */
export const eventBatchPath = '/internal/v1/events';

/** Content type of both frames. */
export const eventBatchContentType = 'application/vnd.podium.event-batch.v1';

/**
 * Header with the ms that ingestion has for a batch from when it was sent. What is left and not a time of day: the clocks of
 * two machines differ, and an ingestion whose clock is ahead would find every batch too late.
 */
export const timeLeftHeader = 'x-podium-time-left-ms';

/** The end of the same time as Unix ms of the gateway's clock, for an ingestion of the release before; goes with the next. */
export const formerDeadlineHeader = 'x-podium-deadline';

/**
 * Header of an answer by which ingestion says that no event that it answers with 5XX, or none at all when the whole is an
 * error, is in the topic or on its way there. Such an event may be sent to another instance without being there twice.
 */
export const notProducedHeader = 'x-podium-not-produced';

/** One partner event on its way: what the gateway knows of the caller, and the body untouched. */
export interface BatchedEvent {
  /** The platform that the caller's key speaks for. */
  platform: string;
  requestId: string;
  /** Unix ms at the gateway. */
  receivedAtMs: number;
  /** Trace context of the gateway's span of the request; empty when there is none. */
  traceparent: string;
  body: Buffer;
}

/** The answer to one event, in the order of the request. */
export interface BatchedAnswer {
  status: number;
  /** Whole seconds; 0 is none. */
  retryAfterS: number;
  /** JSON bytes for the partner. */
  body: Buffer;
}

/** What is wrong with a frame; the whole request is refused. */
export class BrokenFrameError extends Error {}

const maxFrameEvents = 10_000;

/** Lays events into one frame: u32 count, then per event u32 head length, head JSON, u32 body length, body. */
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

/** Reads a frame of events; bodies are views into the frame. Throws `BrokenFrameError`. */
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

/** Lays answers into one frame: u32 count, then per answer u16 status, u32 Retry-After, u32 length, JSON. */
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

/** Reads a frame of answers. Throws `BrokenFrameError`. */
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
