import { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { Answer, Delivery } from '../modes/mode';

const mebibyte = Buffer.alloc(1024 * 1024, ' ');

/** Writes an answer as its delivery says; ends when it is written or the connection is gone. */
export async function deliver(response: ServerResponse, answer: Answer, delivery: Delivery): Promise<void> {
  const body = Buffer.from(answer.body);
  const socket = response.socket;
  switch (delivery.kind) {
    case 'whole':
      return void response.writeHead(answer.status, { ...answer.headers, 'content-length': body.length }).end(body);
    case 'nothing':
      return;
    case 'headers_only':
      return response.writeHead(answer.status, answer.headers).flushHeaders();
    case 'reset':
      return void socket?.resetAndDestroy();
    case 'reset_in_body':
      return resetInBody(response, answer, body);
    case 'cut':
      return cut(response, answer, body, delivery.announced);
    case 'length_too_small':
      return tooLong(response, answer, body, delivery.lessBytes);
    case 'slow_headers':
      return slowly(response, Buffer.concat([head(answer, body.length), body]), delivery.everyMs);
    case 'drip':
      socket?.write(head(answer, body.length));
      return slowly(response, body, delivery.everyMs);
    case 'padded':
      return padded(response, answer, body, delivery.mebibytes);
    case 'not_http':
      return void socket?.end('SSH-2.0-OpenSSH_9.9\r\n\r\n');
  }
}

/** The status line and headers, for deliveries that Node's own writer does not make. */
function head(answer: Answer, length: number | null): Buffer {
  const headers = { ...answer.headers, ...(length === null ? {} : { 'content-length': length }), connection: 'close' };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`HTTP/1.1 ${answer.status} Status\r\n${lines.join('')}\r\n`, 'latin1');
}

async function resetInBody({ socket }: ServerResponse, answer: Answer, body: Buffer): Promise<void> {
  socket?.write(Buffer.concat([head(answer, body.length + 100), body.subarray(0, body.length / 2)]));
  // A reset right after the write would discard the bytes before the client has them.
  await sleep(20);
  socket?.resetAndDestroy();
}

function cut({ socket }: ServerResponse, answer: Answer, body: Buffer, announced: boolean): void {
  const kept = body.subarray(0, Math.max(0, body.length - 8));
  socket?.end(Buffer.concat([head(answer, announced ? body.length : null), kept]));
}

function tooLong({ socket }: ServerResponse, answer: Answer, body: Buffer, lessBytes: number): void {
  socket?.end(Buffer.concat([head(answer, Math.max(0, body.length - lessBytes)), body]));
}

async function slowly({ socket }: ServerResponse, bytes: Buffer, everyMs: number): Promise<void> {
  for (const byte of bytes) {
    if (!socket || socket.destroyed) return;
    socket.write(Buffer.of(byte));
    await sleep(everyMs, undefined, { ref: false });
  }
  socket?.end();
}

/** A client that closes the connection ends it. */
async function padded(response: ServerResponse, answer: Answer, body: Buffer, mebibytes: number): Promise<void> {
  response.writeHead(answer.status, answer.headers);
  const chunks = function* (): Generator<Buffer> {
    for (let i = 0; i < mebibytes; i++) yield mebibyte;
    yield body;
  };
  await pipeline(Readable.from(chunks()), response).catch(() => undefined);
}
