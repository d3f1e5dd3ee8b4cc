import type { ServerResponse } from 'node:http';
import { encodeReadAnswer, maxBatchedBodyBytes, maxBatchedHeadBytes, sendAlone } from '@podium/messages';
import { wholeBody } from '../answers/body-parts';
import type { ReadResponse } from './read-response';

/** Most bytes that wait for the gateway; further answers of the batch are to be fetched alone. */
const maxWaitingBytes = 1024 * 1024;

/** The answers to the reads of a batch, written as they are done; those of one turn of the event loop are written together. */
export class BatchAnswers {
  private readonly pieces: Buffer[] = [];
  private pieceBytes = 0;

  constructor(
    private readonly response: ServerResponse,
    private left: number,
  ) {
    if (left === 0) response.end();
  }

  /** Writes the answer to the read at a place. */
  add(place: number, { status, headers, body }: ReadResponse): void {
    const byteLength = body?.byteLength ?? 0;
    const own = Object.entries(headers).flat();
    if (body) own.push('content-length', String(byteLength));
    const head = encodeReadAnswer({ place, status, headers: own }, byteLength);
    if (head.length > maxBatchedHeadBytes || byteLength > maxBatchedBodyBytes || this.isHeldUp())
      this.write(encodeReadAnswer({ place, status: sendAlone, headers: [] }, 0));
    else this.write(head, body && wholeBody(body));
    this.left -= 1;
  }

  private isHeldUp(): boolean {
    return this.response.writableLength + this.pieceBytes > maxWaitingBytes;
  }

  private write(head: Buffer, body?: Buffer): void {
    // The gateway has closed the connection.
    if (this.response.destroyed) return;
    if (this.pieces.length === 0) setImmediate(() => this.flush());
    this.pieces.push(head);
    if (body) this.pieces.push(body);
    this.pieceBytes += head.length + (body?.length ?? 0);
  }

  private flush(): void {
    const bytes = this.pieces.length === 1 ? this.pieces[0] : Buffer.concat(this.pieces);
    this.pieces.length = 0;
    this.pieceBytes = 0;
    if (this.response.destroyed) return;
    if (this.left === 0) this.response.end(bytes);
    else this.response.write(bytes);
  }
}
