import { Transform, TransformCallback } from 'node:stream';
import { CodedError } from '@podium/messages';

/** Lets a stream pass up to a limit in bytes, then fails it with `payload_too_large`. */
export class ByteLimit extends Transform {
  private bytes = 0;

  constructor(private readonly maxBytes: number) {
    super();
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.bytes += chunk.length;
    if (this.bytes > this.maxBytes) done(tooLarge(this.maxBytes));
    else done(null, chunk);
  }
}

/** The error of a body over a limit in bytes. */
export function tooLarge(maxBytes: number): CodedError {
  return new CodedError('payload_too_large', { message: `The body is larger than ${maxBytes / 1024} KiB.` });
}
