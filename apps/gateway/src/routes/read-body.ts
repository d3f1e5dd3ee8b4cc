import { IncomingMessage } from 'node:http';
import { ByteBudget } from './byte-budget';

/** How a body may be; sizes in bytes, times in ms. */
export interface BodyBounds {
  readonly maxBytes: number;
  /** From now to the end of the body. */
  readonly timeoutMs: number;
  /** What the bodies of many requests share; the caller gives the length of a body that was read back to it. */
  readonly budget?: ByteBudget;
}

/** What came of reading a body: its bytes, or why there are none. */
export type BodyRead = Buffer | 'too_large' | 'too_slow' | 'no_room' | 'gone';

/** Reads a body whole within its bounds, announced or not; nothing is kept of one that passes them. Never rejects. */
export function readBody(request: IncomingMessage, { maxBytes, timeoutMs, budget }: BodyBounds): Promise<BodyRead> {
  return new Promise((resolve) => {
    if (request.destroyed) return resolve('gone');
    const body = new GrowingBody(maxBytes);
    let isOpen = true;
    const finish = (read: BodyRead): void => {
      if (!isOpen) return;
      isOpen = false;
      clearTimeout(timer);
      request.off('data', onData);
      if (typeof read === 'string') budget?.give(body.bytes);
      resolve(read);
    };
    const onData = (chunk: Buffer): void => {
      if (body.bytes + chunk.length > maxBytes) return finish('too_large');
      if (budget?.take(chunk.length) === false) return finish('no_room');
      body.add(chunk);
    };
    const timer = setTimeout(() => finish('too_slow'), Math.max(0, timeoutMs));
    request.on('data', onData);
    request.once('end', () => finish(body.read()));
    request.once('error', () => finish('gone'));
    request.once('close', () => finish('gone'));
  });
}

/** A body in one piece of memory, so that one which comes byte by byte takes no more than one that comes at once. */
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
