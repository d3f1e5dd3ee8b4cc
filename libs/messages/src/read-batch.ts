import { BrokenFrameError } from './event-batch';

/**
 * The internal request from gateway to competition-read with several reads, in JSON: a list with `[target, headers]` of each.
 * The response is a stream of frames, one per read, in the order in which they are answered: u32 length of the head, u32
 * length of the body, the head in JSON (`[place of the read, status, headers]`, the headers alternate name and value), the body.
 * All integers are big-endian.
 */
export const readBatchPath = '/internal/v1/reads';

/** Content type of the request and of the response. */
export const readBatchContentType = 'application/vnd.podium.read-batch.v1';

/** Most reads of a batch: each may have an answer of `maxBatchedBodyBytes` that waits to be sent. */
export const maxBatchedReads = 32;

/** A larger body is not sent in a batch, because its client may be slow, and a batch cannot wait for one client. */
export const maxBatchedBodyBytes = 128 * 1024;

/** Longer headers are not sent in a batch either; one read must not end the batch of others. */
export const maxBatchedHeadBytes = 16 * 1024;

/** The status of a read that is to be sent alone, because its headers or its body are too large for a batch. */
export const sendAlone = 0;

/** One read of a batch. */
export interface BatchedRead {
  /** Path and query. */
  readonly target: string;
  /** Those of the same request sent alone, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The response to one read. */
export interface ReadAnswer {
  /** Index of the read in its batch. */
  readonly place: number;
  /** The HTTP status, or `sendAlone`. */
  readonly status: number;
  /** Alternating name and value. */
  readonly headers: readonly string[];
}

const lengthBytes = 8;

/** Encodes a batch of reads. */
export function encodeReads(reads: readonly BatchedRead[]): string {
  return JSON.stringify(reads.map(({ target, headers }) => [target, headers]));
}

/** Decodes a batch of reads. Throws `BrokenFrameError`. */
export function decodeReads(frame: Buffer): BatchedRead[] {
  let reads: unknown;
  try {
    reads = JSON.parse(frame.toString('utf8'));
  } catch {
    throw new BrokenFrameError('the batch is not JSON');
  }
  if (!Array.isArray(reads)) throw new BrokenFrameError('the batch is not a list');
  if (reads.length > maxBatchedReads) throw new BrokenFrameError(`a batch of ${reads.length} reads is too long`);
  return reads.map(readOf);
}

function readOf(read: unknown): BatchedRead {
  if (!Array.isArray(read)) throw new BrokenFrameError('a read is not a list');
  const [target, headers]: unknown[] = read;
  if (typeof target !== 'string' || !isTexts(headers)) throw new BrokenFrameError('a read has a wrong field');
  return { target, headers };
}

function isTexts(value: unknown): value is Record<string, string> {
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).every((text) => typeof text === 'string');
}

/** The beginning of the frame of an answer; its body of `bodyBytes` bytes follows. */
export function encodeReadAnswer({ place, status, headers }: ReadAnswer, bodyBytes: number): Buffer {
  const head = JSON.stringify([place, status, headers]);
  const headBytes = Buffer.byteLength(head);
  const frame = Buffer.allocUnsafe(lengthBytes + headBytes);
  frame.writeUInt32BE(headBytes, 0);
  frame.writeUInt32BE(bodyBytes, 4);
  frame.write(head, lengthBytes);
  return frame;
}

/** Reads the frames of answers from the chunks of a stream. */
export class ReadAnswers {
  private rest: Buffer | undefined;

  constructor(private readonly onAnswer: (answer: ReadAnswer, body: Buffer) => void) {}

  /** Passes on the answers that are complete with this chunk; their bodies are views into it. Throws `BrokenFrameError`. */
  add(chunk: Buffer): void {
    const bytes = this.rest === undefined ? chunk : Buffer.concat([this.rest, chunk]);
    this.rest = undefined;
    let at = 0;
    while (bytes.length - at >= lengthBytes) {
      const headBytes = bytes.readUInt32BE(at);
      const bodyBytes = bytes.readUInt32BE(at + 4);
      if (headBytes > maxBatchedHeadBytes || bodyBytes > maxBatchedBodyBytes)
        throw new BrokenFrameError(`an answer of ${headBytes} and ${bodyBytes} bytes is too long`);
      const bodyAt = at + lengthBytes + headBytes;
      if (bytes.length < bodyAt + bodyBytes) break;
      const head = answerOf(bytes.toString('utf8', at + lengthBytes, bodyAt));
      at = bodyAt + bodyBytes;
      this.onAnswer(head, bytes.subarray(bodyAt, at));
    }
    if (at < bytes.length) this.rest = bytes.subarray(at);
  }
}

function answerOf(text: string): ReadAnswer {
  let head: unknown;
  try {
    head = JSON.parse(text);
  } catch {
    throw new BrokenFrameError('the head of an answer is not JSON');
  }
  const [place, status, headers]: unknown[] = Array.isArray(head) ? head : [];
  if (!Number.isInteger(place) || !Number.isInteger(status) || !isListOfTexts(headers))
    throw new BrokenFrameError('the head of an answer has a wrong field');
  return { place: place as number, status: status as number, headers };
}

function isListOfTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((text) => typeof text === 'string');
}
