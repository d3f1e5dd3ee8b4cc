import { Socket, connect } from 'node:net';

/** The result of a raw connection: each response's status, headers and body, and whether the server closed it. */
export interface RawExchange {
  readonly text: string;
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly closed: boolean;
}

/**
 * Writes raw bytes to the gateway, and reads until it closes or `quietMs` pass after a response, or after the last of as many
 * `responses`.
 */
export function rawExchange(
  port: number,
  bytes: string | Buffer,
  options: { quietMs?: number; responses?: number; timeoutMs?: number; keepWriting?: (socket: Socket) => void } = {},
): Promise<RawExchange> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(bytes);
      options.keepWriting?.(socket);
    });
    let text = '';
    // The whole text is not searched at each chunk: a large response would take seconds of the process that the gateway runs in.
    let begun = false;
    let closed = false;
    let quiet: NodeJS.Timeout | undefined;
    const finish = (): void => {
      clearTimeout(quiet);
      clearTimeout(limit);
      socket.destroy();
      resolve(parseAnswer(text, closed));
    };
    const limit = setTimeout(finish, options.timeoutMs ?? 20_000);
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      clearTimeout(quiet);
      begun ||= text.split('HTTP/1.1 ').length > (options.responses ?? 1);
      if (!begun) return;
      quiet = setTimeout(finish, options.quietMs ?? 300);
    });
    socket.on('end', () => {
      closed = true;
      finish();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      closed = true;
      finish();
    });
  });
}

function parseAnswer(text: string, closed: boolean): RawExchange {
  const [head, ...rest] = text.split('\r\n\r\n');
  const [statusLine, ...lines] = head.split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  return { text, status: Number(statusLine.split(' ')[1]), headers, body: rest.join('\r\n\r\n'), closed };
}
