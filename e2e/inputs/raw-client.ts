import { Socket, connect } from 'node:net';
import { SeenAnswer } from './response-checks';

/** The address of a server and the client's own address. */
export interface RawTarget {
  readonly host: string;
  readonly port: number;
  /** The source address; each address counts as a separate client. */
  readonly localAddress?: string;
}

/** The responses over one connection. */
export interface RawExchange {
  /** Final responses in order, without interim ones (100). */
  readonly answers: readonly SeenAnswer[];
  /** The server has closed the connection. */
  readonly isClosed: boolean;
  /** Bytes after the last complete response. */
  readonly rest: string;
}

/** Opens a connection and ignores its errors: callers judge by the received bytes. */
export function openSocket({ host, port, localAddress }: RawTarget): Socket {
  const socket = connect({ host, port, localAddress, noDelay: true });
  socket.on('error', () => undefined);
  return socket;
}

/** Writes raw bytes and reads until the server closes the connection, or is silent for `quietMs` after a complete response. */
export function exchangeBytes(
  target: RawTarget,
  bytes: Buffer,
  options: { quietMs: number; timeoutMs: number; isHead?: boolean },
): Promise<RawExchange> {
  return new Promise((resolve) => {
    const socket = openSocket(target);
    const chunks: Buffer[] = [];
    let quiet: NodeJS.Timeout | undefined;
    const read = (): Omit<RawExchange, 'isClosed'> =>
      readAnswers(Buffer.concat(chunks).toString('latin1'), options.isHead);
    const finish = (isClosed: boolean): void => {
      clearTimeout(quiet);
      clearTimeout(limit);
      socket.destroy();
      resolve({ ...read(), isClosed });
    };
    const limit = setTimeout(() => finish(false), options.timeoutMs);
    socket.on('connect', () => socket.write(bytes));
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      clearTimeout(quiet);
      // After an interim response the final one is still outstanding.
      if (read().answers.length > 0) quiet = setTimeout(() => finish(false), options.quietMs);
    });
    socket.on('end', () => finish(true));
    socket.on('close', () => finish(true));
  });
}

/** Parses the responses of a server; one without a length extends to the end, responses to HEAD have no body. */
export function readAnswers(text: string, isHead = false): Omit<RawExchange, 'isClosed'> {
  const answers: SeenAnswer[] = [];
  let rest = text;
  for (;;) {
    const headEnd = rest.indexOf('\r\n\r\n');
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(rest)?.[1]);
    if (headEnd < 0 || !status) return { answers, rest };
    const headers = headersOf(rest.slice(0, headEnd));
    const after = rest.slice(headEnd + 4);
    const isBare = isHead || status < 200 || status === 204 || status === 304;
    const body = isBare ? { text: '', rest: after } : bodyOf(after, headers);
    if (!body) return { answers, rest };
    if (status >= 200) answers.push({ status, headers, body: Buffer.from(body.text, 'latin1').toString() });
    rest = body.rest;
  }
}

function headersOf(head: string): Record<string, string> {
  const lines = head.split('\r\n').slice(1);
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
}

function bodyOf(text: string, headers: Record<string, string>): { text: string; rest: string } | undefined {
  if (headers['transfer-encoding'] === 'chunked') return chunkedBody(text);
  const length = Number(headers['content-length'] ?? text.length);
  return text.length < length ? undefined : { text: text.slice(0, length), rest: text.slice(length) };
}

function chunkedBody(text: string): { text: string; rest: string } | undefined {
  let body = '';
  for (let at = 0; ;) {
    const lineEnd = text.indexOf('\r\n', at);
    if (lineEnd < 0) return undefined;
    const bytes = parseInt(text.slice(at, lineEnd), 16);
    at = lineEnd + 2;
    if (at + bytes + 2 > text.length) return undefined;
    body += text.slice(at, at + bytes);
    at += bytes + 2;
    if (bytes === 0) return { text: body, rest: text.slice(at) };
  }
}
