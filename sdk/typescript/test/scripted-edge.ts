import * as http from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Terminal, runPartnerProgram } from '../src/command-line/partner-program';

/** A request as the server got it. */
export interface EdgeRequest {
  readonly path: string;
  readonly body: string;
  readonly authorization?: string;
}

/** An answer of the server. */
export interface EdgeAnswer {
  readonly status: number;
  readonly headers?: http.OutgoingHttpHeaders;
  readonly body: unknown;
}

/**
 * A plain HTTP server whose answers a test decides. It is not Podium: `npm run check:sdk` and e2e/demo run commands
 * against the real gateway.
 */
export class ScriptedEdge {
  readonly requests: EdgeRequest[] = [];
  answer: (request: EdgeRequest) => EdgeAnswer = () => ({ status: 404, body: {} });
  private readonly server = http.createServer((request, response) => {
    void text(request).then((body) => {
      const { url = '', headers } = request;
      const seen = { path: url, body, authorization: headers.authorization };
      this.requests.push(seen);
      const { status, headers: own, body: answered } = this.answer(seen);
      response.writeHead(status, { 'x-request-id': 'request-7', ...own }).end(JSON.stringify(answered));
    });
  });

  /** Listens on a free port; returns its address. */
  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.server.closeAllConnections();
    await closed;
  }
}

/** The body of a refusal. */
export function refusal(code: string, retry: string): { error: object } {
  return { error: { code, message: `The sentence of ${code}.`, retry } };
}

/** What a command printed, and its exit code. */
export interface CommandRun {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command; `answers` are typed at a terminal, in turn. */
export async function runCommand(
  args: readonly string[],
  { env = {}, answers, stdin = '' }: { env?: Terminal['env']; answers?: string[]; stdin?: string } = {},
): Promise<CommandRun> {
  let [out, err] = ['', ''];
  const code = await runPartnerProgram(args, {
    env,
    isInteractive: answers !== undefined,
    ask: async (question) => {
      err += question;
      const answer = answers?.shift();
      if (answer === undefined) throw new Error(`nobody answers: ${question}`);
      return answer;
    },
    readStdin: async () => stdin,
    out: (line) => void (out += line),
    err: (line) => void (err += line),
  });
  return { code, out, err };
}
