import { IncomingMessage } from 'node:http';
import { MemoryBudget } from './byte-budget';
import { announcedBytes } from './respond';

/** Limits of a body; sizes in bytes, times in ms. */
export interface BodyReadOptions {
  readonly maxBytes: number;
  /** From now to the end of the body. */
  readonly timeoutMs: number;
  /** Memory that the bodies of many requests share; the caller releases the length of a body that was read. */
  readonly budget?: MemoryBudget;
}

/** The result of reading a body: its bytes, or the reason why there are none. */
export type BodyRead = Buffer | 'too_large' | 'too_slow' | 'no_memory' | 'gone';

/** Reads a whole body within its limits, with or without Content-Length; a body that exceeds them is dropped. Never rejects. */
export function readBody(request: IncomingMessage, options: BodyReadOptions): BodyRead | Promise<BodyRead> {
  if (request.destroyed) return 'gone';
  const announced = announcedBytes(request);
  if (announced > options.maxBytes && announced !== Infinity) return 'too_large';
  return request.complete ? readReceived(request, options) : readArriving(request, options);
}

/** Nearly all bodies have arrived before they are read: without timer and listeners, they cost a fifth. */
function readReceived(request: IncomingMessage, { maxBytes, budget }: BodyReadOptions): BodyRead {
  const body = (request.read() as Buffer | null) ?? Buffer.alloc(0);
  if (body.length > maxBytes) return 'too_large';
  return budget?.take(body.length) === false ? 'no_memory' : body;
}

function readArriving(request: IncomingMessage, { maxBytes, timeoutMs, budget }: BodyReadOptions): Promise<BodyRead> {
  return new Promise((resolve) => {
    const body = new GrowingBody(maxBytes);
    let isOpen = true;
    const finish = (read: BodyRead): void => {
      if (!isOpen) return;
      isOpen = false;
      clearTimeout(timer);
      request.off('data', onData);
      if (typeof read === 'string') budget?.release(body.bytes);
      resolve(read);
    };
    const onData = (chunk: Buffer): void => {
      if (body.bytes + chunk.length > maxBytes) return finish('too_large');
      if (budget?.take(chunk.length) === false) return finish('no_memory');
      body.add(chunk);
    };
    const timer = setTimeout(() => finish('too_slow'), Math.max(0, timeoutMs));
    request.on('data', onData);
    request.once('end', () => finish(body.read()));
    request.once('error', () => finish('gone'));
    request.once('close', () => finish('gone'));
  });
}

/** A body in one buffer, so that a body that arrives byte by byte takes no more memory than one that arrives at once. */
class GrowingBody {
  bytes = 0;
  private memory: Buffer | undefined;

  constructor(private readonly maxBytes: number) {}

  add(chunk: Buffer): void {
    const wholeBytes = this.bytes + chunk.length;
    if (this.memory === undefined) this.memory = chunk;
    else {
      if (wholeBytes > this.memory.length) this.grow(wholeBytes);
      chunk.copy(this.memory, this.bytes);
    }
    this.bytes = wholeBytes;
  }

  read(): Buffer {
    return this.memory?.subarray(0, this.bytes) ?? Buffer.alloc(0);
  }

  private grow(wholeBytes: number): void {
    const memory = Buffer.allocUnsafeSlow(Math.min(this.maxBytes, Math.max(4096, 2 * wholeBytes)));
    this.memory?.copy(memory, 0, 0, this.bytes);
    this.memory = memory;
  }
}
