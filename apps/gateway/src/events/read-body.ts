import { IncomingMessage } from 'node:http';

/** What came of reading a body: its bytes, more than the limit, or a client that went away. */
export type BodyRead = Buffer | 'too_large' | 'gone';

/** Reads a body up to a limit in bytes, announced or not; nothing is kept of one that passes it. */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<BodyRead> {
  return new Promise((resolve) => {
    if (request.destroyed) return resolve('gone');
    let chunks: Buffer[] = [];
    let bytes = 0;
    const finish = (read: BodyRead): void => {
      request.off('data', onData);
      chunks = [];
      resolve(read);
    };
    const onData = (chunk: Buffer): void => {
      bytes += chunk.length;
      chunks.push(chunk);
      if (bytes > maxBytes) finish('too_large');
    };
    request.on('data', onData);
    request.once('end', () => finish(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks, bytes)));
    request.once('error', () => finish('gone'));
    request.once('close', () => finish('gone'));
  });
}
