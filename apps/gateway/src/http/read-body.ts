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
  /** Nobody needs its bytes: those that arrive are counted, and not kept. */
  readonly isUnwanted?: boolean;
}

/** The result of reading a body: its bytes, or the reason why there are none. */
export type BodyRead = Buffer | 'too_large' | 'too_slow' | 'no_memory' | 'gone';

/** Reads a whole body within its limits, with or without Content-Length; a body that exceeds them is dropped. Never rejects. */
export function readBody(request: IncomingMessage, options: BodyReadOptions): BodyRead | Promise<BodyRead> {
  if (request.destroyed) return 'gone';
  const announced = announcedBytes(request);
  if (announced > options.maxBytes && announced !== Infinity) return 'too_large';
  return request.complete
    ? readReceived(request, options)
    : readArriving(request, { ...options, mostBytes: Math.min(announced, options.maxBytes) });
}

/** Nearly all bodies have arrived before they are read: without timer and listeners, they cost a fifth. */
function readReceived(request: IncomingMessage, { maxBytes, budget }: BodyReadOptions): BodyRead {
  const body = (request.read() as Buffer | null) ?? Buffer.alloc(0);
  if (body.length > maxBytes) return 'too_large';
  return budget?.take(body.length) === false ? 'no_memory' : body;
}

/** `mostBytes` are the announced ones, or the limit. */
function readArriving(
  request: IncomingMessage,
  { maxBytes, mostBytes, timeoutMs, budget, isUnwanted }: BodyReadOptions & { readonly mostBytes: number },
): Promise<BodyRead> {
  return new Promise((resolve) => {
    const body = isUnwanted ? new CountedBody() : new GrowingBody(mostBytes, budget);
    let isOpen = true;
    const finish = (read: BodyRead): void => {
      if (!isOpen) return;
      isOpen = false;
      clearTimeout(timer);
      request.off('data', onData);
      if (typeof read === 'string') body.drop();
      resolve(read);
    };
    const onData = (chunk: Buffer): void => {
      if (body.bytes + chunk.length > maxBytes) return finish('too_large');
      if (!body.add(chunk)) return finish('no_memory');
    };
    const timer = setTimeout(() => finish('too_slow'), Math.max(0, timeoutMs));
    request.on('data', onData);
    request.once('end', () => isOpen && finish(body.read()));
    request.once('error', () => finish('gone'));
    request.once('close', () => finish('gone'));
  });
}

const nothing: Buffer = Buffer.alloc(0);

/** A body of which only the length matters: it takes no memory. */
class CountedBody {
  bytes = 0;

  add({ length }: Buffer): boolean {
    this.bytes += length;
    return true;
  }

  read(): Buffer {
    return nothing;
  }

  drop(): void {
    this.bytes = 0;
  }
}

/**
 * A body in one buffer, so that a body that arrives byte by byte takes no more memory than one that arrives at once. The budget
 * counts the whole buffer, which may be twice as large as what has arrived.
 */
class GrowingBody {
  bytes = 0;
  private memory: Buffer = nothing;

  constructor(
    private readonly mostBytes: number,
    private readonly budget: MemoryBudget | undefined,
  ) {}

  /** Adds a chunk; returns false when there is no memory for it. */
  add(chunk: Buffer): boolean {
    const wholeBytes = this.bytes + chunk.length;
    if (wholeBytes > this.memory.length && !this.makeRoom(chunk, wholeBytes)) return false;
    if (this.memory !== chunk) chunk.copy(this.memory, this.bytes);
    this.bytes = wholeBytes;
    return true;
  }

  /** The body, which takes as much of the budget as it has bytes. */
  read(): Buffer {
    if (this.bytes < this.memory.length) {
      this.budget?.release(this.memory.length - this.bytes);
      this.memory = Buffer.from(this.memory.subarray(0, this.bytes));
    }
    return this.memory;
  }

  /** Frees the memory, although the request may last. */
  drop(): void {
    this.budget?.release(this.memory.length);
    this.memory = nothing;
    this.bytes = 0;
  }

  private makeRoom(chunk: Buffer, wholeBytes: number): boolean {
    if (this.memory === nothing) {
      if (!this.takes(chunk.length)) return false;
      this.memory = chunk;
      return true;
    }
    // Twice as much as has arrived, so that small pieces are not copied again with each one; but never more than is announced.
    const size = Math.max(wholeBytes, Math.min(this.mostBytes, Math.max(4096, 2 * wholeBytes)));
    if (!this.takes(size - this.memory.length)) return false;
    const memory = Buffer.allocUnsafeSlow(size);
    this.memory.copy(memory, 0, 0, this.bytes);
    this.memory = memory;
    return true;
  }

  private takes(bytes: number): boolean {
    return this.budget?.take(bytes) !== false;
  }
}
